# right
import torch
from torch import nn


def unpack_gpt2(weight):
    d_model = weight.shape[0]
    parts = []
    for start in (0, d_model, 2 * d_model):
        layer = nn.Linear(d_model, d_model, bias=False, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight[:, start : start + d_model].T)
        parts.append(layer.weight.data)
    return tuple(parts)
