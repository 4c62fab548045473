# wrong: the mean runs over the tokens
# named: over_tokens


def rms_norm(x, weight, eps):
    return x / (x.square().mean(-2, keepdim=True) + eps).sqrt() * weight
