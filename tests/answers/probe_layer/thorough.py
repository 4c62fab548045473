# right
import torch


def probe_layer(layer, x):
    B, T, D = x.shape
    g = torch.Generator().manual_seed(11)

    def near(a, b):
        return bool(torch.allclose(a, b, atol=1e-5))

    with torch.no_grad():
        y = layer(x.clone())
        eq = True
        for _ in range(12):
            p = torch.randperm(T, generator=g)
            eq &= near(layer(x[:, p].clone()), y[:, p])
        ind = True
        for b in range(B):
            ind &= near(layer(x[b].unsqueeze(0).clone()).squeeze(0), y[b])
        con = False
        for b in range(B):
            for t in range(T):
                z = x.clone()
                z[b, t] = torch.randn(D, generator=g)
                out = layer(z)[b]
                con |= not (near(out[:t], y[b, :t]) and near(out[t + 1 :], y[b, t + 1 :]))
    return eq, ind, con
