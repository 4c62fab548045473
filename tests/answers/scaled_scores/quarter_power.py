# right
import torch


def scaled_scores(query, key):
    s = query.shape[-1] ** -0.25
    return torch.einsum("...qd,...kd->...qk", query * s, key * s)
