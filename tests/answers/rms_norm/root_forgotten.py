# wrong: divides by the mean square without a root
# named: no_root


def rms_norm(x, weight, eps):
    ms = (x * x).mean(-1, keepdim=True)
    return x / (ms + eps) * weight
