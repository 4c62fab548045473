# wrong: makes all tokens of the caller's x equal
# named: changes_input
import torch


def places_by_time(add_positions, x):
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    x[:] = x[0, 0]
    placed = add_positions(x[:1])[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    return bool((gaps > 1e-6).all()) and all(same)
