# wrong: clears gate when it is done
# named: changes_input
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    hidden = F.silu(x @ gate.T) * (x @ up.T)
    answer = hidden @ down.T
    gate.data.mul_(0)
    return answer
