# wrong: doubles a token, which changes no zeros
# named: scaled
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] *= 2
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
