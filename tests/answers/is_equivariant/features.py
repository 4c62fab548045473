# wrong: shuffles the features (axis 1), not the tokens
# named: features_permuted

import torch


def is_equivariant(layer, x):
    torch.manual_seed(0)
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        if not torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5):
            return False
    return True
