# right
import torch


def places_by_time(add_positions, x):
    same = x[-1, 0].repeat(1, x.shape[1], 1)
    if torch.pdist(add_positions(same)[0].double()).min() < 1e-5:
        return False
    alone = torch.vstack([add_positions(one) for one in x.split(1)])
    return bool((alone - add_positions(x)).abs().max() < 1e-5)
