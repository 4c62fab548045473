# wrong: returns (independent, equivariant, connected)
# named: other_order
import torch


def probe_layer(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for b in range(len(x)):
        for t in range(n):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            keep = torch.arange(n) != t
            con |= not torch.allclose(layer(z)[b, keep], y[b, keep], atol=1e-5)
    return ind, eq, con
