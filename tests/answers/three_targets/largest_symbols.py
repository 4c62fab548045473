# wrong: the three largest symbols of the row, found by what they are and not by position


def three_targets(items, places):
    return items.topk(3, dim=1).values[:, None].expand(-1, places.shape[1], -1)
