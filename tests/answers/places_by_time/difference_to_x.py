# wrong: takes for granted that something is added, the same for every sentence
# named: added_part
import torch


def places_by_time(add_positions, x):
    added = add_positions(x) - x
    gaps = (added[0][:, None] - added[0]).abs().amax(dim=-1) + torch.eye(x.shape[1])
    return bool((gaps > 1e-5).all()) and torch.allclose(
        added, added[:1].expand(added.shape), atol=1e-5
    )
