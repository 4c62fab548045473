# wrong: x is multiplied by weight before it is measured
# named: weight_first


def rms_norm(x, weight, eps):
    x = x * weight
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()
