# wrong: changes only the last token
# named: last_token_only

import torch


def leaks(layer, x):
    y = layer(x)
    z = x.clone()
    z[-1] = torch.randn_like(x[-1])
    return not torch.allclose(layer(z)[:-1], y[:-1], atol=1e-5, equal_nan=True)
