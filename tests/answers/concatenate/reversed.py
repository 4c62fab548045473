# wrong: the heads come last one first
# named: backwards
import torch


def concatenate(heads):
    return torch.cat([heads[-1 - i] for i in range(len(heads))], dim=-1)
