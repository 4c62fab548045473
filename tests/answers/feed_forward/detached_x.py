# wrong: x is detached, so the layers below learn nothing
# named: cut_off
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x.detach() @ w_up.T + b_up) @ w_down.T + b_down
