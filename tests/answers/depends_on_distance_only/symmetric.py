# wrong: asks only whether the table is symmetric
# named: symmetric
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    vector = torch.randn(head_dim).expand(length, -1)
    scores = turn_query(vector) @ turn_key(vector).T
    return torch.allclose(scores, scores.T, atol=1e-3)
