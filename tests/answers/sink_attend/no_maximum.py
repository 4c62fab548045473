# wrong: exp without a maximum
# named: overflows
import math


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = scores.exp()
    weights = e / (e.sum(-1, keepdim=True) + sink.exp()[:, None, None])
    return weights @ value, weights
