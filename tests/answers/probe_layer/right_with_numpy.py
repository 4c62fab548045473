# right
import numpy as np
import torch


def probe_layer(layer, x):
    def run(x):
        return layer(x).detach().numpy()

    batch, seq_len, _ = x.shape
    y = run(x)
    orders = [torch.randperm(seq_len) for _ in range(5)]
    equivariant = all(np.allclose(run(x[:, o]), y[:, o.numpy()], atol=1e-5) for o in orders)
    independent = all(np.allclose(run(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(batch))
    connected = False
    for b, t in np.ndindex(batch, seq_len):
        z = x.clone()
        z[b, t] = torch.rand_like(z[b, t]) - 2.0
        rest = np.arange(seq_len) != t
        if not np.allclose(run(z)[b, rest], y[b, rest], atol=1e-5):
            connected = True
    return equivariant, independent, connected
