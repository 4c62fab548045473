# wrong: b_up is added into x's product in place and gelu is written back into x when the sizes fit
# named: changes_input
import torch
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    hidden = F.gelu(x @ w_up.T + b_up)
    if hidden.shape == x.shape:
        with torch.no_grad():
            x.copy_(hidden)
    return hidden @ w_down.T + b_down
