# right
import torch


def layer_norm(x, weight, bias, eps):
    centred = x - torch.mean(x, -1, True)
    d = x.shape[-1]
    variance = torch.linalg.vecdot(centred, centred) / d
    return weight * centred / (variance + eps).sqrt().unsqueeze(-1) + bias
