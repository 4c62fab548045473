# right
import torch


def three_targets(items, places):
    n = items.shape[1]
    out = [
        [[row[p], row[(p + 2) % n], row[p - 1]] for p in asked]
        for row, asked in zip(items.tolist(), places.tolist())
    ]
    return torch.tensor(out, dtype=items.dtype).reshape(*places.shape, 3)
