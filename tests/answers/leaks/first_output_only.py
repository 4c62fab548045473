# wrong: looks at output 0 only
# named: first_output_only
import torch


def leaks(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[0], y[0], atol=1e-5):
            return True
    return False
