# wrong: key and value are swapped in the result
# named: key_value_exchanged
import torch
import torch.nn.functional as F


def project_qkv(x, w_query, w_key, w_value):
    q, k, v = F.linear(x, torch.cat((w_query, w_key, w_value))).chunk(3, dim=-1)
    return q, v, k
