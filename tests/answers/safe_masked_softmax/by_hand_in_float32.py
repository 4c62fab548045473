# right
import math

import torch


def safe_masked_softmax(scores, mask):
    s = scores.float()
    top = s.masked_fill(~mask, -math.inf).amax(-1, keepdim=True).detach()
    top = torch.where(top.isfinite(), top, torch.zeros_like(top))
    e = (s - top).masked_fill(~mask, -math.inf).exp()
    return (e / e.sum(-1, keepdim=True).clamp(min=1.0)).to(scores.dtype)
