# right
import math

import torch


def attend_safely(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    empty = (~mask.any(-1, keepdim=True)).expand(*scores.shape[:-1], 1)
    allowed = torch.cat([mask.expand_as(scores), empty], dim=-1)
    padded = torch.cat(
        [
            scores,
            torch.zeros_like(scores[..., :1])
            if scores.shape[-1]
            else scores.new_zeros(*scores.shape[:-1], 1),
        ],
        dim=-1,
    )
    weights = padded.masked_fill(~allowed, -math.inf).softmax(-1)[..., :-1]
    return weights @ value, weights
