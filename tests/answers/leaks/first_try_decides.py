# wrong: returns after the first token that it tried
# named: first_round_only
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        return not torch.allclose(layer(z)[:j], y[:j], atol=1e-5)
