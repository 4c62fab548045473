# wrong: compares the means of the earlier outputs
# named: averaged
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if abs(layer(z)[:j].mean() - y[:j].mean()) > 1e-5:
            return True
    return False
