# wrong: gate is not used
# named: no_gate
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return F.silu(x @ up.T) @ down.T
