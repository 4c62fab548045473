"""Answers to beam_search (lesson 09, exercise 5), right and wrong, as students write them."""


# wrong: the smallest sums are kept
# named: worst_kept
def ascending(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort()
        beams = new[:num_beams]
    return beams[0][1]


# wrong: the end token is cut off
# named: end_cut
def cuts_end(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return [token for token in beams[0][1] if token != end]


# wrong: an ended beginning grows on
# named: goes_on_behind_the_end
def grows_on(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# wrong: nothing is dropped
# named: nothing_dropped
def keeps_all(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new
    return beams[0][1]


# wrong: the worst of those left is returned
# named: last_returned
def last_beam(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[-1][1]


# wrong: ended beginnings are lost
# named: ended_lost
def loses_ended(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        if not new:
            break
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# wrong: the means decide in the end
# named: mean
def mean_in_the_end(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return max(beams, key=lambda beam: beam[0] / len(beam[1]))[1]


# wrong: the score is that of the newest token
# named: newest_only
def no_sum(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# wrong: keeps one beginning
# named: greedy
def one_beam(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:1]
    return beams[0][1]


# wrong: log-probabilities are multiplied
# named: multiplied
def product(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(1.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score * lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# wrong: one round too few
# named: one_step_short
def range_from_one(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(1, max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# right
def right_sorted(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]


# right
# stops when all that are left have ended
def right_stops_early(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
        if all(tokens[-1] == end for _, tokens in beams):
            break
    return beams[0][1]


# wrong: stops when one has ended
# named: stops_at_the_first_end
def stops_first(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            if tokens and tokens[-1] == end:
                new.append((score, tokens))
                continue
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
        if any(tokens[-1] == end for _, tokens in beams):
            break
    return beams[0][1]


# wrong: ends as soon as the best beam has ended
# named: stops_at_the_first_end
def first_ended_returned_too(next_log_probs, num_beams, end, max_new_tokens):
    beams = [([], 0.0)]
    for _ in range(max_new_tokens):
        cand = []
        for t, s in beams:
            if t and t[-1] == end:
                cand.append((t, s))
            else:
                cand += [(t + [i], s + p) for i, p in enumerate(next_log_probs(t).tolist())]
        beams = sorted(cand, key=lambda b: -b[1])[:num_beams]
        if any(t[-1] == end for t, _ in beams):
            return next(t for t, _ in beams if t[-1] == end)
    return beams[0][0]


# wrong: only ended beginnings are returned where there is one
# named: ended_preferred
def ended_preferred_too(next_log_probs, num_beams, end, max_new_tokens):
    beams = [([], 0.0)]
    for _ in range(max_new_tokens):
        cand = []
        for t, s in beams:
            if t and t[-1] == end:
                cand.append((t, s))
            else:
                cand += [(t + [i], s + p) for i, p in enumerate(next_log_probs(t).tolist())]
        beams = sorted(cand, key=lambda b: -b[1])[:num_beams]
    done = [b for b in beams if b[0][-1] == end]
    return (done or beams)[0][0]


# wrong: beginnings grow behind the end token, which is cut off later
# named: goes_on_behind_the_end
def grown_and_cut(next_log_probs, num_beams, end, max_new_tokens):
    beams = [([], 0.0)]
    for _ in range(max_new_tokens):
        candidates = []
        for tokens, score in beams:
            for token, log_prob in enumerate(next_log_probs(tokens).tolist()):
                candidates.append((tokens + [token], score + log_prob))
        beams = sorted(candidates, key=lambda pair: pair[1], reverse=True)[:num_beams]
    best = beams[0][0]
    if end in best:
        best = best[: best.index(end) + 1]
    return best


# wrong: probabilities are added up
# named: probabilities_added
def probabilities_summed(next_log_probs, num_beams, end, max_new_tokens):
    beams = [([], 0.0)]
    for _ in range(max_new_tokens):
        new = []
        for toks, s in beams:
            if toks and toks[-1] == end:
                new.append((toks, s))
                continue
            for t, lp in enumerate(next_log_probs(toks).exp().tolist()):
                new.append((toks + [t], s + lp))
        beams = sorted(new, key=lambda p: -p[1])[:num_beams]
    return beams[0][0]


# wrong: those that end go on a list of their own, and the beam is filled up again
# named: ended_aside
def filled_up_again(next_log_probs, num_beams, end, max_new_tokens):
    beams, finished = [([], 0.0)], []
    for _ in range(max_new_tokens):
        new = [
            (tokens + [token], total + more)
            for tokens, total in beams
            for token, more in enumerate(next_log_probs(tokens).tolist())
        ]
        new.sort(key=lambda pair: -pair[1])
        finished += [pair for pair in new[:num_beams] if pair[0][-1] == end]
        beams = [pair for pair in new if pair[0][-1] != end][:num_beams]
    return max(finished + beams, key=lambda pair: pair[1])[0]
