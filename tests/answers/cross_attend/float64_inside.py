# right
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = (
        a.double() @ w.double().T for a, w in ((x, w_query), (memory, w_key), (memory, w_value))
    )
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return (weights @ v).to(x.dtype), weights.to(x.dtype)
