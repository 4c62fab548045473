# right
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    def table():
        q = turn_query(torch.randn(head_dim).expand(length, -1))
        k = turn_key(torch.randn(head_dim).expand(length, -1))
        return q @ k.mT

    def is_toeplitz(scores):
        return bool(((scores[1:, 1:] - scores[:-1, :-1]).abs() < 1e-3).all())

    return all(is_toeplitz(table()) for _ in range(10))
