# right
import torch


def layer_norm(x, weight, bias, eps):
    tokens = []
    for token in x.reshape(-1, x.shape[-1]):
        centred = token - token.mean()
        tokens.append(
            centred / torch.sqrt((centred * centred).sum() / len(token) + eps) * weight + bias
        )
    return torch.stack(tokens).reshape(x.shape)
