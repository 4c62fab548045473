# wrong: looks for different outputs of tokens that were different already
# named: batch_only
import torch


def places_by_time(add_positions, x):
    y = add_positions(x)
    gap = (y[0][:, None] - y[0]).abs().amax(-1) + torch.eye(x.shape[1])
    return bool((gap > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
