# right

import torch


def scaled_scores(query, key):
    c = query.shape[-1] ** 0.25
    return torch.einsum("...id,...jd->...ij", query / c, key / c)
