# right
import torch


def leaks(layer, x):
    for j in range(1, x.shape[0]):
        one, other = x.clone(), x.clone()
        one[j], other[j] = torch.randn(2, x.shape[1])
        if not torch.allclose(layer(one)[:j], layer(other)[:j], atol=1e-5):
            return True
    return False
