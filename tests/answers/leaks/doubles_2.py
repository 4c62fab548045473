# wrong: doubles the later token, which changes nothing when all tokens are zero or when a LayerNorm stands in front
# named: scaled

import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] *= 2
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False
