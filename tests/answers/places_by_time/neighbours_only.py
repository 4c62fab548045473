# wrong: compares each place with its neighbour only
# named: neighbours_only
import torch


def places_by_time(add_positions, x):
    same = x[:1, :1].expand(1, x.shape[1], -1)
    placed = add_positions(same)[0]
    if ((placed[1:] - placed[:-1]).abs().amax(dim=-1) < 1e-6).any():
        return False
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )
