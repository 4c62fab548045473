# right

import torch


def scaled_scores(query, key):
    d = torch.tensor(query.shape[-1], dtype=torch.float64)
    scores = torch.matmul(query.double(), key.double().transpose(-1, -2)) / d.sqrt()
    return scores.to(query.dtype)
