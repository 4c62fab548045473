# wrong: divides by head_dim, without the root
# named: no_square_root

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1], dim=-1)
    return weights @ value, weights
