# wrong: the heads come in reverse order
# named: backwards

import torch


def concatenate(heads):
    return torch.cat(list(heads.flip(0)), dim=-1)
