# wrong: divides by the length of the token, the root of the sum of squares
# named: sum_of_squares


def rms_norm(x, weight, eps):
    return weight * x / (x.norm(dim=-1, keepdim=True) + eps)
