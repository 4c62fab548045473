# right

import torch


def leaks(layer, x):
    g = torch.Generator().manual_seed(0)
    with torch.no_grad():
        y = layer(x.clone())
        for j in range(1, x.shape[0]):
            for _ in range(3):
                z = x.clone()
                z[j] = torch.randn(x.shape[1:], generator=g).to(x.dtype) * 2
                new = layer(z)
                if not torch.allclose(new[:j], y[:j], atol=1e-5, equal_nan=True):
                    return True
    return False
