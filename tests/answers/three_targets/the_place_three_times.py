# wrong: the same item three times
# named: one_item


def three_targets(items, places):
    return items.gather(1, places)[..., None].expand(-1, -1, 3)
