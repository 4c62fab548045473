# wrong: changes the last token only, which nobody sees under a causal mask
import torch


def probe_layer(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    z = x.clone()
    z[0, -1] = torch.randn(x.shape[2])
    con = not torch.allclose(layer(z)[0, :-1], y[0, :-1], atol=1e-5)
    return eq, ind, con
