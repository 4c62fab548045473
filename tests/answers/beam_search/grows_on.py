# wrong: an ended beginning grows on
# named: goes_on_behind_the_end
def beam_search(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for score, tokens in beams:
            for t, lp in enumerate(next_log_probs(tokens)):
                new.append((score + lp.item(), tokens + [t]))
        new.sort(reverse=True)
        beams = new[:num_beams]
    return beams[0][1]
