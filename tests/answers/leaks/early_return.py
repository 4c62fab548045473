# wrong: decides after the first token that it changed
# named: first_round_only
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
        else:
            return False
