# wrong: overlooks what moves by less than 0.1
# named: too_loose
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=0.1):
            return True
    return False
