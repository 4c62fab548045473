# wrong: looks whether an earlier token moves a later output
# named: backwards
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(len(x) - 1):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[j + 1 :], y[j + 1 :], atol=1e-5, equal_nan=True):
            return True
    return False
