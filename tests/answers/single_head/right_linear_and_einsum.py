# right

import torch
import torch.nn.functional as F


def single_head(x, w_query, w_key, w_value):
    q, k, v = (F.linear(x, w) for w in (w_query, w_key, w_value))
    scores = torch.einsum("...id,...jd->...ij", q, k) / k.size(-1) ** 0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
