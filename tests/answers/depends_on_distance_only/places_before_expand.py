# wrong: places one vector and expands it afterwards, so all places are place 0
# named: placed_then_repeated
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(1, head_dim)).expand(length, -1)
    key = turn_key(torch.randn(1, head_dim)).expand(length, -1)
    scores = query @ key.T
    return torch.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-3)
