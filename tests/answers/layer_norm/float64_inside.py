# right
def layer_norm(x, weight, bias, eps):
    y = x.double()
    y = y - y.mean(-1, keepdim=True)
    y = y / (y.pow(2).mean(-1, keepdim=True) + eps) ** 0.5
    return (y * weight + bias).to(x.dtype)
