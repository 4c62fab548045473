# right
import torch
import torch.nn.functional as F


def near_share(weights, width, mask):
    band = torch.ones(weights.shape[-2:]).tril(width).triu(-width)
    even = F.normalize(mask.broadcast_to(weights.shape).to(weights.dtype), p=1, dim=-1)
    per_head = lambda w: torch.einsum("bhqk,qk->h", w, band.to(w.dtype)) / (w.shape[0] * w.shape[2])
    return per_head(weights), per_head(even)
