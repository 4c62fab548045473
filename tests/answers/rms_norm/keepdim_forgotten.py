# wrong: no keepdim, so the sizes meet the features
# named: no_keepdim


def rms_norm(x, weight, eps):
    rms = (x.pow(2).mean(dim=-1) + eps).sqrt()
    return x / rms * weight
