# right
import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = torch.broadcast_to(mask, weights.shape)
    share = (allowed & near).sum(-1) / allowed.sum(-1)
    found = torch.where(near, weights, 0.0).sum(-1)
    return found.mean(dim=2).mean(dim=0), share.mean(dim=2).mean(dim=0).to(weights.dtype)
