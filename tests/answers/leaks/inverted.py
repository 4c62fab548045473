# wrong: True for layers that do not look ahead
# named: inverted
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return False
    return True
