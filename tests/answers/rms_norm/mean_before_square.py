# wrong: squares the mean instead of taking the mean of the squares
# named: square_of_mean


def rms_norm(x, weight, eps):
    return x / (x.mean(-1, keepdim=True) ** 2 + eps).sqrt() * weight
