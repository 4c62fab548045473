# wrong: eps is added after the root
# named: eps_outside


def rms_norm(x, weight, eps):
    rms = x.square().mean(-1, keepdim=True).sqrt()
    return x / (rms + eps) * weight
