# wrong: gate in both branches
# named: gate_for_both
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    z = x @ gate.T
    return (F.silu(z) * z) @ down.T
