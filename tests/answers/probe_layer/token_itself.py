# wrong: the probe for connected also looks at the changed token's own output
# named: own_output
import torch


def probe_layer(layer, x):
    y = layer(x)
    eq = True
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        eq = eq and torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        if not torch.allclose(layer(z)[0], y[0], atol=1e-5):
            con = True
    return eq, ind, con
