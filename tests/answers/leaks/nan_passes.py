# wrong: a largest difference, which is NaN and never greater
# named: nan_passes
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if (layer(z)[:j] - y[:j]).abs().max() > 1e-5:
            return True
    return False
