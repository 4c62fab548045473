# wrong: x += writes into the caller's stream
# named: changes_input
import torch


def block_step(x, sublayer, norm, norm_first):
    with torch.no_grad():
        if norm_first:
            x += sublayer(norm(x))
            return x
        x += sublayer(x)
        return norm(x)
