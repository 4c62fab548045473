# wrong: each try overwrites the answer before it
# named: last_token_only
import torch


def leaks(layer, x):
    y, answer = layer(x), False
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        answer = not torch.allclose(layer(z)[:j], y[:j], atol=1e-5)
    return answer
