# wrong: the root of each square, then the mean: the mean of the absolute values
# named: mean_size


def rms_norm(x, weight, eps):
    return x / (x.square().sqrt().mean(-1, keepdim=True) + eps) * weight
