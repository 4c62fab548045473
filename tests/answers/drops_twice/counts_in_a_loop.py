# right


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    zeros, total = 0, 0
    while total < 600:
        update = (layer(x) - x)[own]
        zeros += (update == 0).sum().item()
        total += update.numel()
    share = zeros / total
    return abs(share - (1 - (1 - p) ** 2)) < abs(share - p)
