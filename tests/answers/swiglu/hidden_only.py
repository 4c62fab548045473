# wrong: the way down is missing
# named: hidden_returned
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return F.silu(x @ gate.T) * (x @ up.T)
