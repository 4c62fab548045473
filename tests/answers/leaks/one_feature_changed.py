# wrong: changes feature 0 of a token only
# named: one_feature
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j, 0] += 0.5
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
