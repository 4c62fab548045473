# right

import torch


def softmax_jacobian(weights):
    eye = torch.eye(weights.numel(), dtype=weights.dtype, device=weights.device)
    return weights.unsqueeze(1) * (eye - weights.unsqueeze(0))
