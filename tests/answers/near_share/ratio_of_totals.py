# wrong: divides all near allowed pairs by all allowed pairs instead of averaging over the queries
# named: ratio_of_counts
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    allowed = mask.expand(weights.shape)
    return found, (allowed & near).sum(dim=(0, 2, 3)) / allowed.sum(dim=(0, 2, 3))
