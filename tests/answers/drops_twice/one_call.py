# wrong: calls the layer once only, too few numbers when x has four
# named: one_run


def drops_twice(layer, x, p):
    layer.eval()
    alive = layer(x) != x
    layer.train()
    share = ((layer(x) == x) & alive).sum().item() / max(1, alive.sum().item())
    return share > (p + 1 - (1 - p) ** 2) / 2
