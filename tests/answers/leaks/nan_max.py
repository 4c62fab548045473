# wrong: the maximum of differences with a NaN in it is NaN, which is not larger than anything
# named: nan_passes
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if (layer(z)[:j] - y[:j]).abs().max() > 1e-5:
            return True
    return False
