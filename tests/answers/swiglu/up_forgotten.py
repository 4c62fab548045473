# wrong: up is not used
# named: no_up
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return F.silu(x @ gate.T) @ down.T
