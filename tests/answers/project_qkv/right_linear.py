# right

import torch.nn.functional as F


def project_qkv(x, w_query, w_key, w_value):
    return F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)
