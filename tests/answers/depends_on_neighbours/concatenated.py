# right
import torch


def depends_on_neighbours(model, source, lengths):
    alone = torch.cat([model(s[None, : int(n)], n[None]) for s, n in zip(source, lengths)])
    gap = (alone - model(source, lengths)).abs()
    return bool(gap.max() > 1e-5) or bool(gap.isnan().any())
