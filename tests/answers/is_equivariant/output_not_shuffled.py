# wrong: compares the output of the shuffled input with the unshuffled output (tests invariance)
# named: invariance
import torch


def is_equivariant(layer, x):
    perm = torch.randperm(x.shape[0])
    return torch.allclose(layer(x[perm]), layer(x), atol=1e-5)
