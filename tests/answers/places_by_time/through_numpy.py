# right
import numpy as np


def places_by_time(add_positions, x):
    same = x[:1, 1:2].expand(1, x.shape[1], -1).contiguous()
    placed = add_positions(same)[0].detach().numpy()
    gaps = np.abs(placed[:, None] - placed[None]).max(axis=-1)
    np.fill_diagonal(gaps, np.inf)
    together = add_positions(x).detach().numpy()
    alone = np.concatenate([add_positions(x[b : b + 1]).detach().numpy() for b in range(len(x))])
    return bool(gaps.min() > 1e-6 and np.abs(alone - together).max() < 1e-5)
