# wrong: mean and variance over the tokens (axis -2)
# named: over_tokens


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-2, keepdim=True)
    var = x.var(dim=-2, keepdim=True, unbiased=False)
    return (x - mean) / (var + eps).sqrt() * weight + bias
