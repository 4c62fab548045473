# wrong: joins heads 0 and 1 only
# named: two_heads

import torch


def concatenate(heads):
    return torch.cat([heads[0], heads[1]], dim=-1)
