# right

import torch
from torch import nn


def block_step(x, sublayer, norm, norm_first):
    same = nn.Identity()
    before, after = (norm, same) if bool(norm_first) else (same, norm)
    return after(torch.add(sublayer(before(x)), x))
