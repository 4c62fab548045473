# wrong: wants equality to the last bit
# named: exact
import torch


def probe_layer(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.equal(layer(x[:, p]), y[:, p])
    independent = all(torch.equal(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.equal(layer(z)[b, others], y[b, others]):
                connected = True
    return equivariant, independent, connected
