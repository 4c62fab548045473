# wrong: no map is transposed
# named: not_transposed
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return (F.silu(x @ gate) * (x @ up)) @ down
