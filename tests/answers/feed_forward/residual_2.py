# wrong: adds x, so it returns the new stream instead of what is added
# named: residual_inside

import torch


def feed_forward(x, w_up, b_up, w_down, b_down):
    return x + torch.nn.functional.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
