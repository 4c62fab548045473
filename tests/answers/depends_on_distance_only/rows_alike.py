# wrong: asks that neighbouring rows be alike, without the step to the right
# named: rows_not_shifted
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1:], scores[:-1], atol=1e-3)
