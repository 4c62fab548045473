# wrong: connected looks at sentence 0 only
# named: one_sentence
import torch


def probe_layer(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        others = torch.arange(x.shape[1]) != t
        if not torch.allclose(layer(z)[0, others], y[0, others], atol=1e-5):
            connected = True
    return equivariant, independent, connected
