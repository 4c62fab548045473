# wrong: still loops over the queries in Python
import torch


def attend_all(query, key, value):
    weights = torch.stack([torch.softmax(key @ q, dim=0) for q in query])
    return weights @ value, weights
