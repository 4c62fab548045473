"""Answers to beam_search (lesson 09, exercise 5), right and wrong, as students write them."""

import heapq

import torch

import course_checks as checks
from course_checks.exercises.encoder_decoder.beam_cases import next_token


# right
def heap(next_log_probs, num_beams, end, max_new_tokens):
    kept = [(0.0, ())]
    for _ in range(max_new_tokens):
        done = [pair for pair in kept if end in pair[1]]
        grown = [
            (total + more.item(), (*tokens, token))
            for total, tokens in kept
            if end not in tokens
            for token, more in enumerate(next_log_probs(list(tokens)))
        ]
        kept = heapq.nlargest(num_beams, done + grown)
        if all(end in tokens for _, tokens in kept):
            break
    return list(max(kept)[1])


# right
def topk(next_log_probs, num_beams, end, max_new_tokens):
    """Of each beginning only its num_beams best continuations: others cannot be kept."""
    beams = [{"tokens": [], "cost": 0.0}]
    for _ in range(max_new_tokens):
        new = [beam for beam in beams if beam["tokens"] and beam["tokens"][-1] == end]
        for beam in beams:
            if beam in new:
                continue
            log_probs = next_log_probs(beam["tokens"])
            best = log_probs.topk(min(num_beams, len(log_probs)))
            for value, index in zip(best.values, best.indices, strict=True):
                tokens = [*beam["tokens"], int(index)]
                new.append({"tokens": tokens, "cost": beam["cost"] - float(value)})
        new.sort(key=lambda beam: beam["cost"])
        beams = new[:num_beams]
    return torch.tensor(beams[0]["tokens"])


# wrong: nothing is dropped
# named: nothing_dropped
# points: 2
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


# wrong: each beginning follows its own best token
# named: each_on_its_own
def starts_num_beams_times(next_log_probs, num_beams, end, max_new_tokens):
    first = next_log_probs([])
    results = []
    for token in first.argsort(descending=True)[:num_beams].tolist():
        tokens, total = [token], first[token].item()
        while len(tokens) < max_new_tokens and tokens[-1] != end:
            log_probs = next_log_probs(tokens)
            total += log_probs.max().item()
            tokens.append(log_probs.argmax().item())
        results.append((total, tokens))
    return max(results)[1]


# wrong: returns the score as well
# says: a list of numbers
def with_its_score(next_log_probs, num_beams, end, max_new_tokens):
    args = next_log_probs, num_beams, end, max_new_tokens
    return checks.beam_search.exercise.reference(*args), 0.0


# wrong: beginnings grow behind the end token, which is cut off later
# named: goes_on_behind_the_end
# points: 4
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


# other inputs
def other_inputs(generator):
    for size, num_beams, most in ((5, 2, 4), (5, 3, 5), (3, 2, 6), (4, 1, 3), (3, 5, 3)) * 3:
        yield next_token(generator, size, 0.5), num_beams, 0, most
