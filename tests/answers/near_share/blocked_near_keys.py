# wrong: the baseline counts blocked keys that are near
# named: blocked_keys_near
import torch


def near_share(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    allowed = mask.expand(weights.shape).sum(-1)
    return found, (near.sum(-1) / allowed).mean(dim=(0, 2))
