# wrong: all is computed under no_grad
# named: cut_off
import torch


@torch.no_grad()
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
