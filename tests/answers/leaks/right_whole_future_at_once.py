# right
import torch


def leaks(layer, x):
    """For every i: another future altogether, several times."""
    y = layer(x)
    for i in range(x.shape[0] - 1):
        for _ in range(5):
            z = x.clone()
            z[i + 1 :] = torch.randn_like(x[i + 1 :]) * 2
            moved = (layer(z)[: i + 1] - y[: i + 1]).abs()
            if (moved > 1e-5).any():
                return True
    return False
