# wrong: how often the previous key is the largest
# named: share_of_maxima
import torch


def previous_token(weights):
    n = weights.shape[-1]
    hit = weights[:, :, 1:].argmax(-1) == torch.arange(n - 1)
    return hit.float().mean(dim=(0, 2))
