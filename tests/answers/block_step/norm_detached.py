# wrong: the norm is taken under no_grad
# named: gradient_cut
import torch


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        with torch.no_grad():
            seen = norm(x)
        return x + sublayer(seen)
    return norm(x + sublayer(x))
