# right
import torch


def block_step(x, sublayer, norm, norm_first):
    seen = norm(x) if norm_first else x
    total = torch.stack([x, sublayer(seen)]).sum(dim=0)
    return total if norm_first else norm(total)
