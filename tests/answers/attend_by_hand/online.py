# right
import math


def attend_by_hand(query, keys, values):
    """Streaming softmax, one pass, rescaling (as in the flash papers)."""
    m, z, acc = -math.inf, 0.0, [0.0] * len(values[0])
    scores = []
    for key, value in zip(keys, values):
        s = math.fsum(a * b for a, b in zip(query, key))
        scores.append(s)
        new = max(m, s)
        old = math.exp(m - new) if m > -math.inf else 0.0
        x = math.exp(s - new)
        z = z * old + x
        acc = [a * old + x * v for a, v in zip(acc, value)]
        m = new
    return [a / z for a in acc], [math.exp(s - m) / z for s in scores]
