# right
import torch


def leaks(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(z[j])
        if not torch.allclose(layer(z)[:j], before[:j], atol=1e-5, equal_nan=True):
            return True
    return False
