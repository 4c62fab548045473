# wrong: the root of the variance plus the root of eps
# named: root_of_eps_outside
import math


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (variance.sqrt() + math.sqrt(eps)) * weight + bias
