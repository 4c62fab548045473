# wrong: makes integer tensors of whole numbers, and torch has no softmax for these
import torch


def attend_by_hand(query, keys, values):
    q, k, v = torch.tensor(query), torch.tensor(keys), torch.tensor(values)
    weights = torch.softmax(k @ q, dim=0)
    return (weights @ v).tolist(), weights.tolist()
