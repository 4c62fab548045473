# wrong: the baseline is one number, not one for each head
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    equal = mask.expand(weights.shape) / mask.expand(weights.shape).sum(-1, keepdim=True)
    return found, (equal * near).sum(-1).mean()
