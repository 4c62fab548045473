# wrong: the loop ends before the last token
# named: last_token_spared
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x) - 1):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
