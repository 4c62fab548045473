# right
import torch
from torch import nn


def block_step(x, sublayer, norm, norm_first):
    same = nn.Identity()
    inner, outer = (norm, same) if norm_first else (same, norm)
    return outer(torch.add(sublayer(inner(x)), x))
