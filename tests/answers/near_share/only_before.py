# wrong: counts the keys before the query only
# named: one_side_only
import torch


def near_share(weights, width, mask):
    L = weights.shape[-1]
    d = torch.arange(L)[:, None] - torch.arange(L)
    near = (d >= 0) & (d <= width)
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, equal))
