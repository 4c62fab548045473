# right
from collections import Counter


def matched_control(chosen, order):
    seen = Counter()
    out = ()
    for layer, _ in chosen:
        same = tuple(h for h in order if h[0] == layer and h not in chosen)
        if seen[layer] < len(same):
            out += (same[seen[layer]],)
        seen[layer] += 1
    return out
