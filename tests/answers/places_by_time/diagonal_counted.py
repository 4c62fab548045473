# wrong: compares each place with itself as well, so that it always answers False
# named: always_false
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1)
    if (gap < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
