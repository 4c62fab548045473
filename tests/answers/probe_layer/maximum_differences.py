# right
import torch


def probe_layer(layer, x):
    batch, length, width = x.shape
    y = layer(x.clone())
    far = lambda a, b: bool((a - b).abs().max() > 1e-4)
    orders = [torch.randperm(length) for _ in range(8)]
    equivariant = not any(far(layer(x[:, o])[:, o.argsort()], y) for o in orders)
    independent = not far(torch.cat([layer(one) for one in x.split(1)]), y)
    connected = False
    for b in range(batch):
        for t in range(length):
            z = x.clone()
            z[b, t] = torch.randn(width) * 2
            moved = (layer(z)[b] - y[b]).abs().amax(-1) > 1e-4
            moved[t] = False
            connected = connected or bool(moved.any())
    return equivariant, independent, connected
