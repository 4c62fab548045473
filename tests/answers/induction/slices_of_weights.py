# right
import torch


def induction(weights, tokens):
    before = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)[:, :, :-1]
    found = torch.einsum("bhqk,bqk->bhq", weights[..., 1:], before.to(weights.dtype))
    return found.sum(dim=2).sum(dim=0) / before.any(-1).sum()
