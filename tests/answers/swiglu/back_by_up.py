# wrong: goes down by up, whose shape fits without a transpose
# named: not_down
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ up.T)) @ up
