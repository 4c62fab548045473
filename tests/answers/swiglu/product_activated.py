# wrong: SiLU on the product
# named: activation_on_the_product
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    return F.silu((x @ gate.T) * (x @ up.T)) @ down.T
