# right

import torch


def three_targets(items, places):
    n = items.shape[1]
    answer = [
        [[row[p], row[(p + 2) % n], row[p - 1]] for p in wanted]
        for row, wanted in zip(items.tolist(), places.tolist())
    ]
    return torch.tensor(answer, dtype=items.dtype).reshape(*places.shape, 3)
