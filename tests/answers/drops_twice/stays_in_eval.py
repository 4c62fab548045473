# wrong: never switches to train mode
# named: mode_as_it_comes | never


def drops_twice(layer, x, p):
    update = layer(x) - x
    return (update == 0).float().mean().item() > (p + 1 - (1 - p) ** 2) / 2
