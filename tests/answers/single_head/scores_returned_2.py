# wrong: returns the scores before the softmax in the place of the weights
# named: scores_returned
import math

import torch.nn.functional as F


def single_head(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = q @ k.mT / math.sqrt(w_query.shape[0])
    return F.softmax(weights, dim=-1) @ v, weights
