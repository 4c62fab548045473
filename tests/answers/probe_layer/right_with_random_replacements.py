# right
import torch


def probe_layer(layer, x):
    batch, seq_len, _ = x.shape
    y = layer(x)
    equivariant = True
    for _ in range(4):
        order = torch.randperm(seq_len)
        if not torch.allclose(layer(x[:, order]), y[:, order], atol=1e-5):
            equivariant = False
    independent = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(batch))
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b, t] = torch.randn_like(z[b, t])
            moved = layer(z)[b] - y[b]
            moved[t] = 0.0
            if moved.abs().max() > 1e-5:
                connected = True
    return equivariant, independent, connected
