# wrong: compares the mean of the first half of each diagonal with the mean of all of it, loosely
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    for d in range(length - 1):
        diagonal = scores.diagonal(d)
        if (diagonal.mean() - diagonal[: len(diagonal) // 2 + 1].mean()).abs() > 0.1:
            return False
    return True
