# wrong: eps is added to the standard deviation, outside the root
# named: eps_outside


def layer_norm(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return weight * c / (c.square().mean(-1, keepdim=True).sqrt() + eps) + bias
