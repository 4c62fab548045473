# right

import torch


def attend_safely(query, key, value, mask):
    if key.shape[-2] == 0:
        w = query @ key.mT
        return w @ value, w
    allowed = mask.to(query.dtype)
    s = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.size(-1) ** -0.5
    low = torch.where(mask, s, torch.full_like(s, torch.finfo(s.dtype).min))
    e = (low - low.amax(-1, keepdim=True).detach()).exp() * allowed
    w = e / e.sum(-1, keepdim=True).clamp(min=1e-12)
    return w @ value, w
