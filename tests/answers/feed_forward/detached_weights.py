# wrong: the weights are used through .data and do not learn
# named: cut_off
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.data.T + b_up.data) @ w_down.data.T + b_down.data
