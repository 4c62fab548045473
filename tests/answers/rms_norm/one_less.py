# wrong: divides the sum by d - 1
# named: less_one


def rms_norm(x, weight, eps):
    ms = x.square().sum(-1, keepdim=True) / (x.shape[-1] - 1)
    return x / (ms + eps).sqrt() * weight
