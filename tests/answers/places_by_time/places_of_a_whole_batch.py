# wrong: looks at the equal tokens of the last sentence of a batch only
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(*x.shape))[-1]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    first = add_positions(x[:1])[0]
    return bool((gaps > 1e-6).all()) and torch.allclose(first, add_positions(x)[0], atol=1e-5)
