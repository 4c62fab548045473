# wrong: looks at the first six places only
# named: first_places_only
import torch


def places_by_time(add_positions, x):
    x = x[:, :6]
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)
