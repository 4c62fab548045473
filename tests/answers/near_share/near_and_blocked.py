# wrong: near keys that are blocked count
# named: blocked_keys_near
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, (near.sum(-1) / allowed.sum(-1)).mean(dim=(0, 2))
