# wrong: places must differ in every feature
# named: every_feature
import torch


def places_by_time(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    differs = (placed[:, None] != placed).all(dim=-1)
    differs.fill_diagonal_(True)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool(differs.all()) and all(same)
