# wrong: SiLU at the end
# named: activation_at_the_end
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return F.silu(((x @ gate.T) * (x @ up.T)) @ down.T)
