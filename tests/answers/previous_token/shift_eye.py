# right

import torch


def previous_token(weights):
    n = weights.shape[-1]
    line = torch.eye(n, dtype=weights.dtype).roll(1, dims=0)
    line[0] = 0
    return torch.einsum("bhqk,qk->h", weights, line) / (len(weights) * (n - 1))
