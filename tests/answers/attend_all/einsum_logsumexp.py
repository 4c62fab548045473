# right

import torch


def attend_all(query, key, value):
    s = (query[:, None, :] * key[None, :, :]).sum(-1)
    w = (s - torch.logsumexp(s, 1)[:, None]).exp()
    return torch.einsum("ij,jv->iv", w, value), w
