# wrong: subtracts the mean and divides by the standard deviation, as a LayerNorm
# named: layer_norm


def rms_norm(x, weight, eps):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True, unbiased=False)
    return (x - mean) / (var + eps).sqrt() * weight
