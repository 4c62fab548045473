# wrong: only the first sentence is compared with itself alone
# named: first_sentence_only
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    same = torch.allclose(add_positions(x[:1])[0], add_positions(x)[0], atol=1e-5)
    return bool((gaps > 1e-6).all()) and same
