# right
import torch


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    n = tokens.shape[1]
    shift = torch.eye(n, dtype=weights.dtype).roll(1, 1)
    targets = equal.tril(-1).to(weights.dtype) @ shift
    has = (targets.sum(-1) > 0).to(weights.dtype)
    return torch.einsum("bhqk,bqk->h", weights, targets) / has.sum()
