# wrong: turns the tokens round and looks whether the outputs follow
# named: reversed
import torch


def leaks(layer, x):
    return not torch.allclose(layer(x.flip(0)).flip(0), layer(x), atol=1e-5)
