# right

import math

import torch


def single_head(x, w_query, w_key, w_value):
    form = w_query.T @ w_key / math.sqrt(w_query.shape[0])  # (d_model, d_model)
    weights = torch.softmax(x @ form @ x.mT, dim=-1)
    return (weights @ x) @ w_value.T, weights
