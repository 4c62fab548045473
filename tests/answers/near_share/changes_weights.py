# wrong: multiplies the weights in place
# named: changes_input
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    weights *= near
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, even))
