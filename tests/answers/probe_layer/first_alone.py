# wrong: independence is tested for the first sentence only
# named: first_sentence_only
import torch


def probe_layer(layer, x):
    y = layer(x)
    perms = [torch.randperm(x.shape[1]) for _ in range(8)]
    eq = all(torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5) for p in perms)
    ind = torch.allclose(layer(x[:1]), y[:1], atol=1e-5)
    con = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[-1])
            keep = torch.arange(x.shape[1]) != t
            con = con or not torch.allclose(layer(z)[b, keep], y[b, keep], atol=1e-5)
    return eq, ind, con
