# wrong: x is added
# named: residual_inside
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return x + (F.silu(x @ gate.T) * (x @ up.T)) @ down.T
