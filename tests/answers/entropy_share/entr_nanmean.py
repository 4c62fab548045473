# right
import math

import torch


def entropy_share(weights, mask):
    bits = torch.special.entr(weights).sum(-1) / math.log(2)
    allowed = mask.broadcast_to(weights.shape).sum(-1).to(weights.dtype)
    allowed[allowed < 2] = math.nan
    return (bits / allowed.log2()).transpose(0, 1).flatten(1).nanmean(dim=1)
