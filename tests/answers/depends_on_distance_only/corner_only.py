# wrong: compares the first score with the last one of distance 0
# named: distance_0_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    return bool((query[0] @ key[0] - query[-1] @ key[-1]).abs() < 1e-3)
