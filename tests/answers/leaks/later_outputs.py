# wrong: looks at the outputs from the changed token on
# named: all_outputs
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[j:], y[j:], atol=1e-5):
            return True
    return False
