# right
import torch


def masked_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    n = scores.shape[-1]
    rows = []
    for row, allowed in zip(scores.reshape(-1, n), mask.reshape(-1, n)):
        weights = torch.zeros_like(row)
        weights[allowed] = torch.softmax(row[allowed], dim=0)
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)
