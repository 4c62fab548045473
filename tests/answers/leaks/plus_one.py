# wrong: adds 1 to all features of a token, which a LayerNorm takes out
# named: constant_added
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] += 1.0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False
