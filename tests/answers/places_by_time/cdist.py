# right
import torch


def places_by_time(add_positions, x):
    token = torch.randn(x.shape[-1], generator=torch.Generator().manual_seed(1))
    placed = add_positions(token.repeat(1, x.shape[1], 1)).squeeze(0)
    gaps = torch.pdist(placed.double())
    alone = torch.stack([add_positions(part)[0] for part in x.split(1)])
    return bool(gaps.min() > 1e-6) and bool(((alone - add_positions(x)).abs() <= 1e-5).all())
