# wrong: weight is not used
# named: no_weight


def rms_norm(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()
