# right
import torch


def softmax_jacobian(weights):
    p = weights
    return p[:, None] * (torch.eye(len(p), dtype=p.dtype, device=p.device) - p[None, :])
