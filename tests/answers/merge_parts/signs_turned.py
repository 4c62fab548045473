# wrong: exp(new - own)
# named: turned_round
import torch


def merge_parts(first, second):
    m1, t1, w1 = first
    m2, t2, w2 = second
    new = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(new), torch.zeros_like(new), new)
    a = torch.exp(safe - m1).nan_to_num(posinf=0)
    b = torch.exp(safe - m2).nan_to_num(posinf=0)
    return new, a * t1 + b * t2, a * w1 + b * w2
