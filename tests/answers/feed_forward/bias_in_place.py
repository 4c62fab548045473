# wrong: b_down is added to in place on every call
# named: changes_input
import torch
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    answer = F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
    with torch.no_grad():
        b_down += 1
    return answer
