# wrong: overwrites x with the centred x and then takes the mean square: a LayerNorm
# named: layer_norm


def rms_norm(x, weight, eps):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps) ** 0.5 * weight
