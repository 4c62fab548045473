# wrong: x is added, though only what is added to the stream is asked for
# named: residual_inside
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return x + F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
