# wrong: puts the later tokens in another order instead of changing them
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = torch.cat((x[:j], x[j:].flip(0)))
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False
