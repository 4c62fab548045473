# wrong: prints and returns nothing


def rms_norm(x, weight, eps):
    answer = x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight
    print(answer)
