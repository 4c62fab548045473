# wrong: x is centred in place
# named: changes_input
import torch


def layer_norm(x, weight, bias, eps):
    with torch.no_grad():
        x -= x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias
