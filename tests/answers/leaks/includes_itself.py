# wrong: also compares the output of the changed token
# named: own_output
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5, equal_nan=True):
            return True
    return False
