# right

import torch


def project_qkv(x, w_query, w_key, w_value):
    return torch.stack([x @ w_query.T, x @ w_key.T, x @ w_value.T])
