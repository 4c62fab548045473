# wrong: stops after gelu and returns the hidden features
# named: hidden_returned
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up)
