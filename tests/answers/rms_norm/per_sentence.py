# wrong: one mean for a whole sentence
# named: over_sentences


def rms_norm(x, weight, eps):
    return x / (x.square().mean((-2, -1), keepdim=True) + eps).sqrt() * weight
