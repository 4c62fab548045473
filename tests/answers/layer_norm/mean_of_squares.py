# wrong: computes the variance as mean of squares minus square of the mean, which cancels for a large mean
# named: moments


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    var = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / (var + eps).sqrt() * weight + bias
