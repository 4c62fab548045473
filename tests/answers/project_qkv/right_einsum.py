# right

import torch


def project_qkv(x, w_query, w_key, w_value):
    return [torch.einsum("...td,hd->...th", x, w) for w in (w_query, w_key, w_value)]
