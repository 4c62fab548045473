# wrong: the probe for connected writes into x itself (no clone), so the caller's x is changed, and tries sentence 0 only
# named: one_sentence | changes_input
import torch


def probe_layer(layer, x):
    y = layer(x)
    perms = [torch.randperm(x.shape[1]) for _ in range(8)]
    eq = all(torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5) for p in perms)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(x.shape[0]))
    con = False
    for t in range(x.shape[1]):
        before = layer(x)
        x[0, t] = torch.randn(x.shape[-1])
        keep = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(x)[0, keep], before[0, keep], atol=1e-5)
    return eq, ind, con
