# right
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.linear(F.gelu(F.linear(x, w_up, b_up)), w_down, b_down)
