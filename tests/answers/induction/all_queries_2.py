# wrong: divides by all queries, also those without a target
# named: all_queries

import torch


def induction(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    t = torch.nn.functional.pad(same[..., :-1], (1, 0))
    return (weights * t[:, None]).sum(-1).mean((0, 2))
