# wrong: counts the changed token's own output
# named: own_output
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5):
            return True
    return False
