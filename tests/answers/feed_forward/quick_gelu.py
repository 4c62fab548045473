# wrong: the sigmoid approximation of gelu, as in CLIP
# named: quick_gelu
import torch


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = x @ w_up.T + b_up
    return (h * torch.sigmoid(1.702 * h)) @ w_down.T + b_down
