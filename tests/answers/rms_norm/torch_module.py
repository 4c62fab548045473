# wrong: calls torch's own module
# named: closed
import torch


def rms_norm(x, weight, eps):
    norm = torch.nn.RMSNorm(x.shape[-1], eps)
    norm.weight.data.copy_(weight)
    return norm(x)
