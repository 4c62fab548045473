# right
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    for _ in range(6):
        q, k = torch.randn(2, head_dim)
        s = turn_query(q.repeat(length, 1)) @ turn_key(k.repeat(length, 1)).mT
        for off in range(1 - length, length):
            line = s.diagonal(off)
            if not line.max() - line.min() < 2e-3:
                return False
    return True
