# wrong: the weights are detached, so no NaN comes back and no gradient either
# named: gradient_cut
import math


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).detach().nan_to_num(0.0)
    return weights @ value, weights
