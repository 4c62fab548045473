# right
import torch
import torch.nn.functional as F


def attend_all(query, key, value):
    eye = torch.eye(key.shape[0], dtype=key.dtype)
    weights = F.scaled_dot_product_attention(query, key, eye, scale=1.0)
    return torch.einsum("qk,kv->qv", weights, value), weights
