# wrong: adds x, though only what is added to the stream was asked for
# named: residual_inside
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    return x + F.linear(F.gelu(F.linear(x, w_up, b_up)), w_down, b_down)
