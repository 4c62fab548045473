# wrong: the mean of the absolute values
# named: mean_size


def rms_norm(x, weight, eps):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight
