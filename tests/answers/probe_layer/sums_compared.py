# wrong: compares the sums of the outputs, not the outputs
# named: sums
import torch


def probe_layer(layer, x):
    def same(a, b):
        return abs(a.sum() - b.sum()).item() < 1e-4

    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = same(layer(x[:, p]), y[:, p])
    independent = all(same(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            connected = connected or not same(layer(z)[b, others], y[b, others])
    return equivariant, independent, connected
