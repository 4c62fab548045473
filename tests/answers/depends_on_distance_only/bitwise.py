# wrong: torch.equal, which rounding breaks
# named: too_strict
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.equal(scores[1:, 1:], scores[:-1, :-1])
