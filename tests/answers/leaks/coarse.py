# wrong: a tolerance of 0.1 lets small leaks pass
# named: too_loose
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[:j], y[:j], atol=0.1, rtol=0.1, equal_nan=True):
            return True
    return False
