# wrong: divided by the variance, not by its root
# named: no_root
def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (variance + eps) * weight + bias
