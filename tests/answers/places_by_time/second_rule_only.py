# wrong: tests the batch, not the places
# named: batch_only
import torch


def places_by_time(add_positions, x):
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )
