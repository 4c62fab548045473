# wrong: shuffles the sentences instead of the tokens
import torch


def probe_layer(layer, x):
    y = layer(x)
    p = torch.randperm(x.shape[0])
    eq = torch.allclose(layer(x[p]), y[p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(x.shape[1]) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con
