# wrong: the sink is added to every score
# named: sink_ignored
import math


def sink_attend(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = (scores + sink[:, None, None]).softmax(-1)
    return weights @ value, weights
