# wrong: divides by the number of targets instead of the number of queries with a target
# named: all_targets

import torch


def induction(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    t = torch.nn.functional.pad(same[..., :-1], (1, 0))
    return (weights * t[:, None]).sum((0, 2, 3)) / t.sum()
