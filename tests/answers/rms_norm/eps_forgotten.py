# wrong: eps is not used
# named: no_eps


def rms_norm(x, weight, eps):
    return x / x.square().mean(-1, keepdim=True).sqrt() * weight
