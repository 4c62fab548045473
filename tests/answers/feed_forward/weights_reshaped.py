# wrong: turns the weights round with reshape, which scrambles them
# named: reshaped
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = F.gelu(x @ w_up.reshape(x.shape[-1], -1) + b_up)
    return h @ w_down.reshape(-1, x.shape[-1]) + b_down
