# wrong: looks at one distance only, the neighbours
# named: some_scores
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = turn_query(torch.randn(head_dim).expand(length, -1))
    key = turn_key(torch.randn(head_dim).expand(length, -1))
    diagonal = (query @ key.T).diagonal(1)
    return torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-3)
