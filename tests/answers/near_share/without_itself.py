# wrong: does not count the query's own token
# named: itself_left_out
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    d = (i[:, None] - i).abs()
    near = (d > 0) & (d <= width)
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, equal))
