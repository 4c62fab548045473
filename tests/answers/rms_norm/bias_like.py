# wrong: weight is added
# named: weight_added


def rms_norm(x, weight, eps):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() + weight
