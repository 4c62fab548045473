# right
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.where(m1 == new, torch.ones_like(m1), torch.exp(m1 - safe))
    b = torch.where(m2 == new, torch.ones_like(m2), torch.exp(m2 - safe))
    return new, a * t1 + b * t2, a * w1 + b * w2
