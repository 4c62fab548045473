# right
import math

import torch


def safe_masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    s = scores.double().masked_fill(~mask, 0.0)
    top = scores.double().masked_fill(~mask, -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(top.isinf(), torch.zeros_like(top), top).detach()
    e = torch.exp((s - top).masked_fill(~mask, 0.0)) * mask
    total = e.sum(dim=-1, keepdim=True)
    total = total + (total == 0)
    return (e / total).to(scores.dtype)
