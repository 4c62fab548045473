# wrong: compares the weights after the softmax instead of the scores
# named: weights_compared
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    weights = (query @ key.T / head_dim**0.5).softmax(dim=-1)
    return torch.allclose(weights[1:, 1:], weights[:-1, :-1], atol=1e-3)
