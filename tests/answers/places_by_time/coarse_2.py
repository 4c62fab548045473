# wrong: a tolerance of 0.1, below which learned tables begin
# named: too_coarse
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    y = add_positions(x)
    alone = torch.cat([add_positions(x[b : b + 1]) for b in range(len(x))])
    return bool((gap > 0.1).all()) and torch.allclose(alone, y, atol=0.1)
