# right

import torch


def three_targets(items, places):
    n = items.shape[1]
    positions = (places[..., None] + torch.tensor([-1, 0, 1])) % n
    return torch.take_along_dim(items[:, None, :], positions, dim=2)
