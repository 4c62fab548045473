# wrong: changes x itself, so the changes pile up and a token's own change looks like another's
# named: own_output | changes_input
import torch


def probe_layer(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(n):
        z = x
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(n) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con
