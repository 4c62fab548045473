# right

import torch


def concatenate(heads):
    return torch.cat(heads.unbind(0), dim=-1)
