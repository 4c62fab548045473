# wrong: sums without factors
# named: only_added
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, t1 + t2, w1 + w2
