# right

import torch


def attend_by_hand(query, keys, values):
    q = torch.tensor(query, dtype=torch.float64)
    k = torch.tensor(keys, dtype=torch.float64)
    v = torch.tensor(values, dtype=torch.float64)
    w = torch.softmax(k @ q, dim=0)
    return (w @ v).tolist(), w.tolist()
