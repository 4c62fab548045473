# right
import torch.nn.functional as F


def swiglu(x, gate, up, down):
    answer = 0
    for row_gate, row_up, column in zip(gate, up, down.T, strict=True):
        hidden = F.silu((x * row_gate).sum(-1)) * (x * row_up).sum(-1)
        answer = answer + hidden[..., None] * column
    return answer
