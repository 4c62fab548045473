# right
import torch


def rotary(x, first_place):
    *lead, length, head_dim = x.shape
    a, b = x.reshape(*lead, length, head_dim // 2, 2).unbind(-1)
    angle = (first_place + torch.arange(length, dtype=x.dtype)).unsqueeze(-1)
    angle = angle / torch.pow(
        torch.tensor(10000.0, dtype=x.dtype), torch.arange(0, head_dim, 2, dtype=x.dtype) / head_dim
    )
    c, s = angle.cos(), angle.sin()
    return torch.stack([c * a - s * b, s * a + c * b], dim=-1).reshape(x.shape)
