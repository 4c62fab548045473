# right
import torch


def project_qkv(x, w_query, w_key, w_value):
    stacked = torch.stack((w_query, w_key, w_value))
    return tuple(torch.einsum("...d,nhd->n...h", x, stacked))
