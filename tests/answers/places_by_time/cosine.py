# wrong: compares directions, so places that only scale look alike
# named: directions
import torch
import torch.nn.functional as F


def places_by_time(add_positions, x):
    placed = F.normalize(add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0], dim=-1)
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)
