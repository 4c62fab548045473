# wrong: probes the connection by adding 1 to all features, which a LayerNorm takes out
import torch


def probe_layer(layer, x):
    p = torch.randperm(x.shape[1])
    eq = torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], layer(x)[b], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] += 1
        others = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(z)[0, others], layer(x)[0, others], atol=1e-5)
    return eq, ind, con
