# right
import torch


def leaks(layer, x):
    original = layer(x)

    def moves(j, i):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        return not torch.allclose(layer(z)[i], original[i], atol=1e-5)

    return any(moves(j, i) for j in range(len(x)) for i in range(j))
