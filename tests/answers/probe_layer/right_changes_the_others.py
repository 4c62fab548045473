# right
import torch


def probe_layer(layer, x):
    """connected: change all tokens of a sentence but one, and look at that one."""
    batch, seq_len, _ = x.shape
    y = layer(x)
    orders = [torch.randperm(seq_len) for _ in range(5)]
    equivariant = all(torch.allclose(layer(x[:, o]), y[:, o], atol=1e-5) for o in orders)
    independent = True
    for b in range(batch):
        independent &= torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5)
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b] = torch.randn_like(z[b])
            z[b, t] = x[b, t]
            connected |= not torch.allclose(layer(z)[b, t], y[b, t], atol=1e-5)
    return equivariant, independent, connected
