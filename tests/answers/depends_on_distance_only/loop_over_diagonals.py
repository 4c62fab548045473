# right
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    for _ in range(3):
        query = turn_query(torch.randn(1, head_dim).repeat(length, 1))
        key = turn_key(torch.randn(1, head_dim).repeat(length, 1))
        scores = torch.einsum("id,jd->ij", query, key)
        for distance in range(-length + 1, length):
            line = scores.diagonal(distance)
            if line.max() - line.min() > 2e-3:
                return False
    return True
