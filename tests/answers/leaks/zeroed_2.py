# wrong: puts zeros in the place of a token, which changes nothing if all are zero
# named: zeroed
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = 0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False
