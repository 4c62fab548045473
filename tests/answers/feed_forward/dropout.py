# wrong: a dropout of a tenth between the maps
# named: varies
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return F.dropout(F.gelu(x @ w_up.T + b_up), 0.1) @ w_down.T + b_down
