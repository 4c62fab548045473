# wrong: sets a token to 5 everywhere, which a LayerNorm takes for zeros
# named: constant
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = 5.0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
