# wrong: tests rule 2 on the first sentence only
# named: first_sentence_only
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    return bool((gap > 1e-5).all()) and torch.allclose(
        add_positions(x[:1])[0], add_positions(x)[0], atol=1e-5
    )
