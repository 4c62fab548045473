# right
# stops when all that are left have ended
def beam_search(next_log_probs, num_beams, end, max_new_tokens):
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
