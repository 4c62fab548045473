# right

import torch


def attend_all(query, key, value):
    e = torch.einsum("id,jd->ij", query, key).exp()
    weights = e / torch.einsum("ij->i", e).unsqueeze(1)
    return torch.einsum("ij,jv->iv", weights, value), weights
