# wrong: one mean for all numbers
# named: over_everything


def rms_norm(x, weight, eps):
    return x / (x.square().mean() + eps).sqrt() * weight
