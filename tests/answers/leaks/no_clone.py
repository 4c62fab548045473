# wrong: changes x itself, and with it what it is compared with
# named: changes_input
import torch


def leaks(layer, x):
    for j in range(1, len(x)):
        y = layer(x)
        z = x
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
