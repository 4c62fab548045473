# right
import torch


def merge_parts(first, second):
    """Total and weighted side by side in one matrix."""
    (m1, *rest1), (m2, *rest2) = first, second
    new = torch.fmax(m1, m2)
    shift = new.clamp(min=torch.finfo(new.dtype).min)
    both = torch.cat(rest1, 1) * torch.exp(m1 - shift) + torch.cat(rest2, 1) * torch.exp(m2 - shift)
    return new, both[:, :1], both[:, 1:]
