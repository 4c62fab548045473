# wrong: view instead of a transpose
# named: reshaped
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    d, h = down.shape
    return (F.silu(x @ gate.view(d, h)) * (x @ up.view(d, h))) @ down.view(h, d)
