# wrong: mends the roles but still scales with d_model (reads the wrong axis of the weight)
# named: scaled_by_d_model
import math

import torch


def single_head(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(w_query.shape[1]), dim=-1)
    return weights @ v, weights
