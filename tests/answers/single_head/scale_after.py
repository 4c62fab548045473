# wrong: divides the weights by sqrt(head_dim) after the softmax, not the scores before it
# named: scaled_after
import math

import torch


def single_head(x, w_query, w_key, w_value):
    q, k, v = (x @ w.T for w in (w_query, w_key, w_value))
    w = torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1])
    return w @ v, w
