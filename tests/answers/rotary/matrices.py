# right
import math

import torch


def rotary(x, first_place):
    head_dim = x.shape[-1]
    rows = []
    for row in range(x.shape[-2]):
        turn = torch.zeros(head_dim, head_dim, dtype=x.dtype)
        for i in range(0, head_dim, 2):
            t = (first_place + row) * 10000 ** (-i / head_dim)
            turn[i, i] = turn[i + 1, i + 1] = math.cos(t)
            turn[i, i + 1], turn[i + 1, i] = -math.sin(t), math.sin(t)
        rows.append(x[..., row, :] @ turn.T)
    return torch.stack(rows, dim=-2)
