# wrong: looks for different places with the different tokens of x, which are different anyway
# named: batch_only

import torch


def places_by_time(add_positions, x):
    whole = add_positions(x)
    y = whole[0]
    gaps = (y[:, None] - y).abs().amax(-1) + torch.eye(len(y))
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=1e-5) for b in range(len(x))
    )
    return bool((gaps > 1e-5).all()) and same
