# wrong: adds up over the queries instead of averaging
# named: sums
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(dim=(0, 2, 3)) for w in (weights, equal))
