# right
import torch


def attend_safely(query, key, value, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    weights = scores.masked_fill(~(mask | empty), float("-inf")).softmax(dim=-1)
    weights = weights.masked_fill(empty, 0)
    return torch.einsum("bhqk,bhkd->bhqd", weights, value), weights
