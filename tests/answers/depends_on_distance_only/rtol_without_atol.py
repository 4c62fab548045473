# wrong: rtol=1e-2 and the tiny default atol, which rounding of scores near 0 breaks
# named: relative_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], rtol=1e-2)
