# wrong: compares [:j+1], so the changed token's own output counts as a leak
# named: own_output

import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5, equal_nan=True):
            return True
    return False
