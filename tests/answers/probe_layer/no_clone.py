# wrong: changes x itself, not a copy
# named: own_output | changes_input
import torch


def probe_layer(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected
