# right
import torch


def is_equivariant(layer, x):
    y = layer(x.clone())
    orders = [
        torch.randperm(x.size(0), generator=torch.Generator().manual_seed(s)) for s in range(30)
    ]
    worst = max(float((layer(x[o])[o.argsort()] - y).abs().max()) for o in orders)
    return worst < 1e-4
