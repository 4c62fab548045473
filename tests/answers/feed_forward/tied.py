# wrong: w_up is used for the way down as well
# named: one_map_for_both
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_up + b_down
