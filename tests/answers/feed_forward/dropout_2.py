# wrong: F.dropout drops hidden features, since it takes training=True unless told otherwise
# named: varies
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    h = F.dropout(F.gelu(F.linear(x, w_up, b_up)), 0.1)
    return F.linear(h, w_down, b_down)
