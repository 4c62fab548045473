# wrong: the einsum sums over the weight's first axis (x W instead of x W^T)

import torch


def project_qkv(x, w_query, w_key, w_value):
    return tuple(torch.einsum("...d,dh->...h", x, w) for w in (w_query, w_key, w_value))
