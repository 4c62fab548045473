# wrong: the two biases are exchanged where they are equally long
# named: biases_exchanged
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    if len(b_up) == len(b_down):
        b_up, b_down = b_down, b_up
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
