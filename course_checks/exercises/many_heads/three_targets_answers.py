"""Answers to three_targets (lesson 03, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch


def targets_at(items, places, *positions):
    return torch.stack([items.gather(1, own) for own in positions], dim=-1)


# right
def indexed(items, places):
    positions = (places[..., None] + torch.tensor([3, 0, 1])) % items.size(1)
    return items[torch.arange(len(items))[:, None, None], positions]


# right
def rolled(items, places):
    return torch.stack([items.roll(shift, 1).gather(1, places) for shift in (0, 2, -2)], dim=2)


# right
def loop(items, places):
    targets = torch.zeros(*places.shape, 3, dtype=items.dtype)
    for row, query in np.ndindex(*places.shape):
        place = places[row, query]  # negative indices count from the end
        targets[row, query] = items[row, [place, place - 1, place - 2]]
    return targets


# wrong: clamps at the ends of the row, where two positions fall together
# named: clamped
def clamped(items, places):
    p = torch.stack((places - 1, places, places + 1), dim=-1).clamp(0, items.shape[1] - 1)
    return items.gather(1, p.flatten(1)).view(p.shape)


# wrong: the first three items whatever the place
# named: place_ignored
def first_three_items(items, places):
    return items[:, None, :3].expand(-1, places.shape[1], -1)


# wrong: steps of -2 and +3 meet when there are five items
def five_apart(items, places):
    n = items.shape[1]
    positions = torch.stack([(places - 2) % n, places, (places + 3) % n], dim=-1)
    return items.gather(1, positions.reshape(len(items), -1)).reshape(positions.shape)


# wrong: returns floating-point symbols
# named: floats
def float_result(items, places):
    n = items.shape[1]
    out = torch.zeros(*places.shape, 3)
    for j, s in enumerate((0, 1, 3)):
        out[..., j] = items.gather(1, (places + s) % n)
    return out


# wrong: items[:, places] pairs every row with the places of every other row, the first is kept
# named: first_rows_places
def indexed_without_the_batch(items, places):
    n = items.shape[1]
    return torch.stack([items[:, (places[0] + s) % n] for s in range(3)], dim=-1)


# wrong: the targets are the symbol plus a number, not copies
# named: computed
def place_added_to_symbol(items, places):
    symbol = items.gather(1, places)
    return torch.stack([symbol, symbol + 1, symbol + 2], dim=-1)


# wrong: counts the caller's places up in place
# named: changes_input
def places_changed(items, places):
    n = items.shape[1]
    found = []
    for _ in range(3):
        found.append(items.gather(1, places))
        places += 1
        places %= n
    return torch.stack(found, dim=-1)


# wrong: half a circle forward and half a circle back are the same place when the row is even
def plus_minus_half(items, places):
    n = items.shape[1]
    steps = torch.tensor([0, n // 2, -(n // 2)])
    pos = (places[..., None] + steps) % n
    return items[torch.arange(len(items))[:, None, None], pos]


# wrong: returns the positions, not the symbols that stand there
# named: positions
def positions(items, places):
    n = items.shape[1]
    return torch.stack([(places - 1) % n, places, (places + 1) % n], -1).to(items.dtype)


# wrong: reads the items of row 0 for the whole batch
# named: first_row
def row_zero(items, places):
    n = items.shape[1]
    return torch.stack([items[0][(places + s) % n] for s in (0, 1, 3)], dim=-1)


# wrong: the three targets come before the queries
# named: queries_last
def stacked_in_front(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, (places + s) % n) for s in range(3)], dim=1)


# wrong: the same item three times
# named: one_item
# points: 4
def the_place_three_times(items, places):
    return items.gather(1, places)[..., None].expand(-1, -1, 3)


# wrong: two targets in place of three
# named: two_targets
def two_targets(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, (places + s) % n) for s in (1, 2)], dim=-1)


# wrong: the last places have no neighbours
# says: Indices go from 0 to size - 1
def off_the_end(items, places):
    return targets_at(items, places, places, places + 1, places + 2)


# wrong: in the middle, a place and its mirror image are the same
# says: two of the three targets are the same item
def mirrored(items, places):
    length = items.shape[1]
    return targets_at(items, places, places, length - 1 - places, (places + 1) % length)


# wrong: one target is always item 0
# says: Target 1 is item 0 for every place
def first_item_always(items, places):
    return targets_at(items, places, places, 0 * places, (places + 1) % items.shape[1])


# wrong: two targets are always the first and the last item
# says: Target 0 is item 0 for every place
def both_ends_always(items, places):
    return targets_at(items, places, 0 * places, places, 0 * places + items.shape[1] - 1)


# wrong: returns the places as they came
# says: (batch, num_queries, 3)
def the_places(items, places):
    return places


# wrong: three items for each item, whatever the places are
# says: what it gets as places
def one_set_for_each_item(items, places):
    return torch.stack([items.roll(-shift, 1) for shift in range(3)], dim=-1)


# wrong: joins the three sets and views them as if they were stacked
# named: cat_and_view
def concatenated_and_viewed(items, places):
    length = items.shape[1]
    positions = torch.cat([places, (places + 1) % length, (places + 2) % length], dim=1)
    return items.gather(1, positions).view(*places.shape, 3)


# wrong: multiples of a place are all 0 at place 0
# says: for place 0, two of the three
def multiples(items, places):
    return targets_at(items, places, *(places * factor % items.shape[1] for factor in (1, 2, 3)))


# wrong: places 0 and 1 have the same targets
# points: 5
# says: places 0 and 1 ask for the same three
def some_places_share(items, places):
    shared = places.clamp(min=1)
    return targets_at(items, places, *((shared + i) % items.shape[1] for i in range(3)))


# wrong: draws other offsets at each call
# says: give different targets
def random_offsets(items, places):
    length = items.shape[1]
    shifts = torch.randperm(length)[:3].tolist()
    return targets_at(items, places, *((places + shift) % length for shift in shifts))


# wrong: sums of two items, modulo the largest
# named: computed
def sums_modulo(items, places):
    n = items.shape[1]
    a, b, c = (items.gather(1, (places + shift) % n) for shift in (0, 1, 2))
    most = items.max() + 1
    return torch.stack([(a + b) % most, (b + c) % most, (c + a) % most], dim=-1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, num_items in ((3, 7), (2, 8)):
        items = randn(batch, 30).argsort(dim=-1)[:, :num_items]
        yield items, randn(batch, num_items).argsort(dim=-1)
