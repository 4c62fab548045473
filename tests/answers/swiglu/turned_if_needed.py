# wrong: transposes only where the shapes object
# named: not_transposed
import torch.nn.functional as F


def times(x, weight):
    return x @ weight if x.shape[-1] == weight.shape[0] else x @ weight.T


def swiglu(x, gate, up, down):
    return times(F.silu(times(x, gate)) * times(x, up), down)
