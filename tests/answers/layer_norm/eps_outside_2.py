# wrong: adds eps to the root instead of under it
# named: eps_outside


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    return weight * (x - mean) / (std + eps) + bias
