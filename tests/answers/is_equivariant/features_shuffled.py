# wrong: shuffles the features instead of the tokens
# named: features_permuted

import torch


def is_equivariant(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.allclose(layer(x[:, order]), layer(x)[:, order], atol=1e-5)
