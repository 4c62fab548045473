# wrong: mean over the near keys
# named: mean_weight
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    count = near.sum(-1)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple(((w * near).sum(-1) / count).mean(dim=(0, 2)) for w in (weights, even))
