# wrong: everything relative to the first maximum
# named: first_maximum
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = m1
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * w1 + b * w2
