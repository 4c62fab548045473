# wrong: in the place of the second rule asks that x + 1 come out as 1 more, bit for bit
# named: always_false
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    shifted = add_positions(x + 1) - 1
    return bool((gaps > 1e-6).all()) and torch.equal(shifted, add_positions(x))
