# right

import torch


def scaled_scores(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * query.size(-1) ** -0.5
