# wrong: computed under no_grad
# named: cut_off
import torch
import torch.nn.functional as F


@torch.no_grad()
def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
