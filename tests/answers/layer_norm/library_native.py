# wrong: calls torch's native_layer_norm
# named: closed
import torch


def layer_norm(x, weight, bias, eps):
    return torch.native_layer_norm(x, x.shape[-1:], weight, bias, eps)[0]
