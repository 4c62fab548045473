# wrong: turns the sign of a token round
# named: negated
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = -z[j]
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
