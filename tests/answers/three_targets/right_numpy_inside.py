# right

import numpy as np
import torch


def three_targets(items, places):
    n = items.shape[1]
    positions = (places.numpy()[:, :, None] + np.array([0, 1, n - 1])) % n
    rows = np.arange(len(items))[:, None, None]
    return torch.from_numpy(items.numpy()[rows, positions])
