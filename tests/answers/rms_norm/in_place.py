# wrong: divides x in place
# named: changes_input


def rms_norm(x, weight, eps):
    rms = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    x /= rms
    return x * weight
