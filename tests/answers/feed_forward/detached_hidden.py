# wrong: the hidden features are detached
# named: cut_off
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    hidden = F.gelu(x @ w_up.T + b_up).detach()
    return hidden @ w_down.T + b_down
