# wrong: repeats head 0
# named: first_head_repeated

import torch


def concatenate(heads):
    return torch.cat([heads[0] for _ in heads], dim=-1)
