# wrong: compares only the first two rows of the table
# named: two_rows_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = query @ key.T
    return torch.allclose(scores[1, 1:], scores[0, :-1], atol=1e-3)
