# wrong: changes the last token only
# named: last_token_only
import torch


def leaks(layer, x):
    z = x.clone()
    z[-1] = torch.randn(x.shape[1])
    return not torch.allclose(layer(z)[:-1], layer(x)[:-1], atol=1e-5)
