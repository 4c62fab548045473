# right
import torch
from torch import nn


def block_step(x, sublayer, norm, norm_first):
    identity = nn.Identity()
    before, after = (norm, identity) if norm_first else (identity, norm)
    return after(torch.add(x, sublayer(before(x))))
