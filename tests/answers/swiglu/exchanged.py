# wrong: SiLU on the branch of up
# named: gate_up_exchanged
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return ((x @ gate.T) * F.silu(x @ up.T)) @ down.T
