# wrong: computes and returns everything in float16 for speed
# named: dtype
import torch


def attend_all(query, key, value):
    q, k, v = query.half(), key.half(), value.half()
    weights = torch.softmax(q @ k.T, dim=-1)
    return weights @ v, weights
