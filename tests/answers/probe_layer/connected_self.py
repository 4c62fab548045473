# wrong: connected is True if a token changes any output of its sentence, its own included
# named: own_output
import torch


def probe_layer(layer, x):
    y = layer(x)
    eq = True
    for _ in range(6):
        p = torch.randperm(x.shape[1])
        eq = eq and torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(x.shape[0]))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[1, t] = torch.randn(x.shape[-1])
        con = con or not torch.allclose(layer(z)[1], y[1], atol=1e-5)
    return eq, ind, con
