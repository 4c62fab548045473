# wrong: < width instead of <= width
# named: width_off_by_one

import torch


def near_share(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() < width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    equal = allowed / allowed.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean((0, 2)) for w in (weights, equal))
