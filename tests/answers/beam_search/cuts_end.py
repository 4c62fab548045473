# wrong: the end token is cut off
# named: end_cut
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
    return [token for token in beams[0][1] if token != end]
