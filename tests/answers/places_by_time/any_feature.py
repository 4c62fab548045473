# wrong: takes two places for alike when a single feature is equal
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amin(-1) + torch.eye(len(placed))
    y = add_positions(x)
    return bool((gap > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
