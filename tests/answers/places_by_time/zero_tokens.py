# wrong: uses tokens of zeros, and a turned 0 is 0
# named: zeros
import torch


def places_by_time(add_positions, x):
    placed = add_positions(torch.zeros(1, *x.shape[1:]))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    if (gap < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
