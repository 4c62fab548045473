# right
import itertools

import torch


def places_by_time(add_positions, x):
    length = x.shape[1]
    placed = add_positions(x[:1, :1].expand(1, length, -1))[0]
    for p, q in itertools.combinations(range(length), 2):
        if (placed[p] - placed[q]).abs().max() < 1e-6:
            return False
    together = add_positions(x)
    alone = torch.cat([add_positions(sentence[None]) for sentence in x])
    return torch.allclose(alone, together, atol=1e-5)
