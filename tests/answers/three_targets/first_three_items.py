# wrong: the first three items whatever the place
# named: place_ignored


def three_targets(items, places):
    return items[:, None, :3].expand(-1, places.shape[1], -1)
