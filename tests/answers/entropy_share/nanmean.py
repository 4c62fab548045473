# right

import torch


def entropy_share(weights, mask):
    allowed = torch.broadcast_to(mask, weights.shape).sum(-1).to(weights.dtype)
    logs = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
    share = -(weights * logs).sum(-1) / allowed.clamp(min=2).log()
    share = torch.where(allowed >= 2, share, torch.full_like(share, torch.nan))
    return share.transpose(0, 1).flatten(1).nanmean(dim=1)
