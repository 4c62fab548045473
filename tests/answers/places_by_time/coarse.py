# wrong: the tolerance of 0.1 overlooks small vectors in both rules

import torch


def places_by_time(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (y[:, None] - y).norm(dim=-1) + torch.eye(len(y))
    whole = add_positions(x)
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=0.1) for b in range(len(x))
    )
    return bool((gaps > 0.1).all()) and same
