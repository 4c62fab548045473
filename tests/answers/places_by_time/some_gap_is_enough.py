# wrong: any() instead of all(): one pair of places that differs is enough
# named: any_pair
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).any()) and all(same)
