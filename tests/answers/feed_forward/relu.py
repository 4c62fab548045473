# wrong: relu instead of gelu
# named: relu
import torch


def feed_forward(x, w_up, b_up, w_down, b_down):
    return torch.relu(x @ w_up.T + b_up) @ w_down.T + b_down
