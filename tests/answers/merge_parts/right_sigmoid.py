# right
import torch


def merge_parts(first, second):
    """The shrinking factor is an exponential of minus the distance."""
    (m1, t1, w1), (m2, t2, w2) = first, second
    distance = (m1 - m2).nan_to_num(nan=0.0, posinf=torch.inf, neginf=-torch.inf)
    a, b = torch.exp(distance.clamp(max=0)), torch.exp((-distance).clamp(max=0))
    return torch.maximum(m1, m2), a * t1 + b * t2, a * w1 + b * w2
