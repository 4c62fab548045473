# wrong: the same around every place, because it uses the query's number and not its place
# named: by_index

import torch


def three_targets(items, places):
    n = items.shape[1]
    number = torch.arange(places.shape[1]).expand_as(places)
    return torch.stack([items.gather(1, (number + s) % n) for s in range(3)], dim=-1)
