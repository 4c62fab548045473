# wrong: divides by the log of all keys instead of the allowed ones
# named: log_of_all_keys
import math

import torch


def entropy_share(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    choice = mask.expand(weights.shape).sum(-1) >= 2
    share = (h / math.log(weights.shape[-1])).masked_fill(~choice, 0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))
