# wrong: changes token 0 and looks at the later ones
# named: backwards
import torch


def leaks(layer, x):
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    return not torch.allclose(layer(z)[1:], layer(x)[1:], atol=1e-5)
