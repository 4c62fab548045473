# wrong: compares the norms of the places, which a turn leaves as they are
# named: lengths
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0].norm(dim=-1)
    gaps = (placed[:, None] - placed).abs() + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)
