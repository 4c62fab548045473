# wrong: uses a sentence of 100 tokens, though no longer ones are allowed
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, 100, -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)
