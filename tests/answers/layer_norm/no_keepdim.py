# wrong: mean and variance lose their axis and line up with the features


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1)
    var = ((x.transpose(-1, -2) - mean).square()).mean(dim=-2)
    return ((x.transpose(-1, -2) - mean) / (var + eps).sqrt()) * weight + bias
