# wrong: looks at keys behind the query only
# named: earlier_keys_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    scores = (query @ key.T).tril()
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
