# wrong: looks at the first half of the features
# named: some_features
import torch


def leaks(layer, x):
    y = layer(x)
    half = x.shape[1] // 2
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j, :half], y[:j, :half], atol=1e-5):
            return True
    return False
