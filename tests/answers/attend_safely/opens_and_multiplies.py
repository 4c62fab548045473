# right
import torch


def attend_safely(query, key, value, mask):
    something = mask.sum(dim=-1, keepdim=True) > 0
    opened = mask | ~something
    logits = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    p = torch.where(opened, logits, torch.full_like(logits, -torch.inf)).softmax(-1) * something
    return torch.einsum("bhqk,bhkw->bhqw", p, value), p
