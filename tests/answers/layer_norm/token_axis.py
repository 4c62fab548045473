# wrong: mean and variance are taken over the last two axes (all tokens of a sentence together)
# named: over_sentences


def layer_norm(x, weight, bias, eps):
    axes = (-2, -1) if x.dim() > 1 else (-1,)
    c = x - x.mean(axes, keepdim=True)
    return c / (c.pow(2).mean(axes, keepdim=True) + eps).sqrt() * weight + bias
