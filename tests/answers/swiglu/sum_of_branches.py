# wrong: adds the branches
# named: added
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x @ gate.T) + x @ up.T) @ down.T
