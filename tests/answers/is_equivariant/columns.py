# wrong: shuffles the features instead of the tokens
# named: features_permuted
import torch


def is_equivariant(layer, x):
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        if not torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5):
            return False
    return True
