# wrong: calls the layer once, which is not enough for four numbers
# named: one_run


def drops_twice(layer, x, p):
    alive = layer.eval()(x) - x != 0
    zeros = (layer.train()(x) - x == 0)[alive].float()
    return bool(zeros.mean() > p + p * (1 - p) / 2)
