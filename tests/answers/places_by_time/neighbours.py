# wrong: compares each place only with its neighbour
# named: neighbours_only

import torch


def places_by_time(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    differ = ((y[1:] - y[:-1]).abs().amax(-1) > 1e-5).all()
    whole = add_positions(x)
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=1e-5) for b in range(len(x))
    )
    return bool(differ) and same
