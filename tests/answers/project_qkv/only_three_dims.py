# wrong: the einsum accepts inputs with exactly one batch dimension
import torch


def project_qkv(x, w_query, w_key, w_value):
    return tuple(torch.einsum("bld,hd->blh", x, w) for w in (w_query, w_key, w_value))
