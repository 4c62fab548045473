# wrong: never switches to train mode
# named: mode_as_it_comes | never | zeros_of_its_own_once


def drops_twice(layer, x, p):
    update = layer(x) - x
    return (update == 0).float().mean().item() > (p + 1 - (1 - p) ** 2) / 2
