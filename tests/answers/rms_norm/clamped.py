# wrong: eps as the smallest mean square
# named: eps_as_least


def rms_norm(x, weight, eps):
    ms = x.pow(2).mean(-1, keepdim=True).clamp_min(eps)
    return x * ms.rsqrt() * weight
