# wrong: items[:, places] pairs every row with the places of every other row, the first is kept
# named: first_rows_places

import torch


def three_targets(items, places):
    n = items.shape[1]
    return torch.stack([items[:, (places[0] + s) % n] for s in range(3)], dim=-1)
