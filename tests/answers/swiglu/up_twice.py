# wrong: up in both branches
# named: up_for_both
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x @ up.T) * (x @ up.T)) @ down.T
