# wrong: connected changes the last token only
# named: last_token_only
import torch


def probe_layer(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        z = x.clone()
        z[b, -1] = torch.randn(x.shape[2])
        if not torch.allclose(layer(z)[b, :-1], y[b, :-1], atol=1e-5):
            connected = True
    return equivariant, independent, connected
