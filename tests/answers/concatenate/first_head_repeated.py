# wrong: repeats head 0

import torch


def concatenate(heads):
    return torch.cat([heads[0] for _ in heads], dim=-1)
