# wrong: hides the diagonal to cure the symptom
# named: itself_hidden

import math

import torch


def single_head(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    own = torch.eye(x.shape[-2], dtype=torch.bool, device=x.device)
    weights = torch.softmax(scores.masked_fill(own, -1e9), dim=-1)
    return weights @ value, weights
