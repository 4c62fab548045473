# right
import math

import torch


def safe_masked_softmax(scores, mask):
    """One more key of weight 0 takes all of an empty row, and is cut off."""
    mask = mask.expand(scores.shape)
    empty = ~mask.any(dim=-1, keepdim=True)
    extra = torch.full_like(scores[..., :1], -math.inf).masked_fill(empty, 0.0)
    longer = torch.cat((scores.masked_fill(~mask, -math.inf), extra), dim=-1)
    return torch.softmax(longer, dim=-1)[..., :-1]
