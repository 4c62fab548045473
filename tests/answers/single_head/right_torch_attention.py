# right

import math

import torch
import torch.nn.functional as F


def single_head(x, w_query, w_key, w_value):
    q, k, v = F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)
    lead = x.shape[:-2]
    q, k, v = (t.reshape(-1, 1, *t.shape[-2:]) for t in (q, k, v))
    output = F.scaled_dot_product_attention(q, k, v)
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return output.reshape(*lead, *output.shape[-2:]), weights.reshape(*lead, *weights.shape[-2:])
