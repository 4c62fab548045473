# right
import torch


def rms_norm(x, weight, eps):
    size = torch.mean(torch.square(x), dim=x.dim() - 1, keepdim=True).add(eps).sqrt()
    return torch.div(x, size) @ torch.diag(weight)
