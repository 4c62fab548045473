# wrong: forgets the second rule
# named: places_only
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    n = len(placed)
    return all(
        not torch.allclose(placed[i], placed[j], rtol=0, atol=1e-5)
        for i in range(n)
        for j in range(i)
    )
