# wrong: shuffles x in place through an alias and then compares the layer's output with itself reordered
# named: changes_input
import torch


def is_equivariant(layer, x):
    shuffled = x
    perm = torch.randperm(x.shape[0])
    shuffled[:] = x[perm]
    return torch.allclose(layer(shuffled), layer(x)[perm], atol=1e-5)
