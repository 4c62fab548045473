# right
import numpy as np
import torch


def leaks(layer, x):
    y = layer(x).detach().numpy()
    found = []
    for j in range(len(x)):
        z = x.clone()
        z[j] = z[j] + torch.rand(x.shape[1]) * 4 - 2
        new = layer(z).detach().numpy()
        found.append(not np.allclose(new[:j], y[:j], atol=1e-5, equal_nan=True))
    return any(found)
