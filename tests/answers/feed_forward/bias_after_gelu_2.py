# wrong: adds b_up after the gelu
# named: bias_after_activation
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = F.gelu(x @ w_up.T) + b_up
    return h @ w_down.T + b_down
