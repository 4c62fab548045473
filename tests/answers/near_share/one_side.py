# wrong: only keys before the query (and itself) are near, not those behind it
# named: one_side_only

import torch


def near_share(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    gap = p[:, None] - p
    near = (gap >= 0) & (gap <= width)
    allowed = mask.expand(weights.shape).to(weights.dtype)
    equal = allowed / allowed.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean((0, 2)) for w in (weights, equal))
