# wrong: two places must differ by 0.1, which small learned vectors do not
# named: too_coarse
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 0.1).all()) and all(same)
