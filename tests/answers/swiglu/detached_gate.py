# wrong: no gradient goes through the gate's map
# named: cut_off
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x @ gate.detach().T) * (x @ up.T)) @ down.T
