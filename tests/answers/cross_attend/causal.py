# wrong: a causal mask is put on as in self-attention
# named: causal
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores).triu(1).bool()
    weights = scores.masked_fill(future, -math.inf).softmax(-1)
    return weights @ v, weights
