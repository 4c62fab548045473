# wrong: gelu after both maps
# named: activation_twice
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down)
