# right
import torch
from torch import nn


def cross_attend(x, memory, w_query, w_key, w_value):
    query = nn.functional.linear(x, w_query)
    key = nn.functional.linear(memory, w_key)
    value = nn.functional.linear(memory, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...qk,...kd->...qd", weights, value), weights
