# wrong: independent exchanges the sentences instead of running one alone
# named: batch_shuffled
import torch


def probe_layer(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = torch.allclose(layer(x.flip(0)), y.flip(0), atol=1e-5)
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected
