# right
import torch


def leaks(layer, x):
    before = layer(x.clone())
    for j in range(x.size(0) - 1, 0, -1):
        for scale in (1.0, 3.0):
            future = scale * torch.randn(x[j:].shape, dtype=x.dtype)
            after = layer(torch.cat([x[:j], future]))
            if not torch.isclose(after[:j], before[:j], atol=1e-5, equal_nan=True).all():
                return True
    return False
