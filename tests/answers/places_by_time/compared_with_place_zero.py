# wrong: compares each place with place 0 only
# named: with_the_first
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    for p in range(1, len(placed)):
        if torch.allclose(placed[p], placed[0], atol=1e-6):
            return False
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )
