# wrong: multiplies the bias by the weight as well
# named: bias_first


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    var = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / (var + eps).sqrt() + bias) * weight
