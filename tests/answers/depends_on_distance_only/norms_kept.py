# wrong: asks whether the lengths of the vectors are kept
# named: lengths_only
import torch


def depends_on_distance_only(turn_query, turn_key, length, head_dim):
    query = torch.randn(length, head_dim)
    return bool(
        torch.allclose(turn_query(query).norm(dim=-1), query.norm(dim=-1), atol=1e-3)
        and torch.allclose(turn_key(query).norm(dim=-1), query.norm(dim=-1), atol=1e-3)
    )
