# wrong: the weighted values times their totals
# named: times_total
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(m1 - safe)
    b = torch.exp(m2 - safe)
    return new, a * t1 + b * t2, a * t1 * w1 + b * t2 * w2
