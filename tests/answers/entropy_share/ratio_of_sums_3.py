# wrong: divides the sum of the entropies by the sum of the logs instead of averaging the shares
# named: ratio_of_means
import torch


def entropy_share(weights, mask):
    h = -torch.xlogy(weights, weights).sum(-1)
    n = mask.expand(weights.shape).sum(-1)
    return h.sum(dim=(0, 2)) / n.clamp(min=1).log().sum(dim=(0, 2))
