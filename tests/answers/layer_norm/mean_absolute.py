# wrong: the mean of the absolute values in the place of the root
# named: mean_size
def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.abs().mean(dim=-1, keepdim=True) + eps) * weight + bias
