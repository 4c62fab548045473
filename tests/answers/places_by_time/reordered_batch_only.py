# wrong: only turns the batch round, and asks nothing of a sentence alone
# named: within_one_batch
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    turned = add_positions(x.flip(0)).flip(0)
    return bool((gaps > 1e-6).all()) and torch.allclose(turned, add_positions(x), atol=1e-5)
