# wrong: eps stands outside the root
# named: eps_outside
def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    return (x - mean) / (std + eps) * weight + bias
