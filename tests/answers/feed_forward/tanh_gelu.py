# wrong: the approximate gelu (tanh), as in GPT-2's code
# named: tanh_approximation
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up, approximate="tanh") @ w_down.T + b_down
