# right

import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    g = torch.Generator().manual_seed(2)
    for _ in range(8):
        q = torch.randn(head_dim, generator=g).repeat(length, 1)
        k = torch.randn(head_dim, generator=g).repeat(length, 1)
        s = turn_query(q) @ turn_key(k).mT
        for d in range(-length + 1, length):
            line = torch.diagonal(s, d)
            if (line - line[0]).abs().max() > 2e-3:
                return False
    return True
