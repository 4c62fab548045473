# wrong: runs the layer once only
# named: one_run


def drops_twice(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    share = (layer(x) - x == 0)[own].double().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2
