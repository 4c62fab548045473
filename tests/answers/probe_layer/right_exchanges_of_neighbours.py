# right
import torch


def probe_layer(layer, x):
    """Every order is made of exchanges of neighbours."""
    batch, seq_len, _ = x.shape
    y = layer(x)

    def same(a, b):
        return torch.allclose(a, b, atol=1e-5)

    equivariant = True
    for t in range(seq_len - 1):
        order = list(range(seq_len))
        order[t], order[t + 1] = order[t + 1], order[t]
        equivariant = equivariant and same(layer(x[:, order]), y[:, order])
    alone = torch.cat([layer(x[b : b + 1]) for b in range(batch)])
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b, t] += torch.randn(x.shape[-1]) * 3
            others = [s for s in range(seq_len) if s != t]
            connected = connected or not same(layer(z)[b, others], y[b, others])
    return equivariant, same(alone, y), connected
