# wrong: the variance as mean of squares minus square of the mean, which cancels for tokens with a large mean
# named: moments


def layer_norm(x, weight, bias, eps):
    m = x.mean(-1, keepdim=True)
    v = (x * x).mean(-1, keepdim=True) - m * m
    return (x - m) / (v + eps).sqrt() * weight + bias
