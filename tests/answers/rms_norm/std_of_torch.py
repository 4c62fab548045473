# wrong: divides by torch's std, which measures from the mean
# named: by_standard_deviation


def rms_norm(x, weight, eps):
    return x / (x.std(dim=-1, keepdim=True) + eps) * weight
