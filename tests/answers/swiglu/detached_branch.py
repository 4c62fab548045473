# wrong: x is detached in the gate's branch
# named: gradient_cut
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x.detach() @ gate.T) * (x @ up.T)) @ down.T
