# wrong: exp(m) * total, and back
# named: overflows
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = m1.exp()
    b = m2.exp()
    return new, (a * t1 + b * t2) / new.exp(), (a * w1 + b * w2) / new.exp()
