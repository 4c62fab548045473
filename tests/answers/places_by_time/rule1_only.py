# wrong: forgets the second rule (the batch)
# named: places_only

import torch


def places_by_time(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (y[:, None] - y).abs().amax(-1) + torch.eye(len(y))
    return bool((gaps > 1e-6).all())
