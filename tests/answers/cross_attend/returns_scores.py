# wrong: the scores are returned in the place of the weights
# named: scores_returned
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v, scores
