# wrong: compares each place only with the next one
# named: neighbours_only
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    if ((placed[1:] - placed[:-1]).abs().amax(-1) < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
