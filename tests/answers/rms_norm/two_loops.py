# right
import torch


def rms_norm(x, weight, eps):
    rows = []
    for token in x.reshape(-1, x.shape[-1]):
        total = 0
        for number in token:
            total = total + number * number
        rows.append(token / torch.sqrt(total / len(token) + eps))
    return torch.stack(rows).view(x.shape) * weight
