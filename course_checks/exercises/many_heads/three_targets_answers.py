"""Answers to three_targets (lesson 03, exercise 4), right and wrong, as students write them."""

import numpy as np
import torch
import torch.nn.functional as F


# wrong: at the ends of the row the neighbour is clamped, so two positions coincide
# named: clamped
def clamp_ends(items, places):
    n = items.shape[1]
    pos = torch.stack([(places - 1).clamp(min=0), places, (places + 1).clamp(max=n - 1)], -1)
    return items.gather(1, pos.flatten(1)).unflatten(1, (-1, 3))


# wrong: clamps at the ends of the row, where two positions fall together
# named: clamped
def clamped(items, places):
    p = torch.stack((places - 1, places, places + 1), dim=-1).clamp(0, items.shape[1] - 1)
    return items.gather(1, p.flatten(1)).view(p.shape)


# wrong: the circle has 8 places, as in the example below
def eight_items(items, places):
    positions = torch.stack([places, (places + 1) % 8, (places + 2) % 8], dim=-1)
    positions = positions.clamp(max=items.shape[1] - 1)
    return items.gather(1, positions.flatten(1)).view(*places.shape, 3)


# wrong: all queries read from the first row of the batch
# named: first_row
def first_row(items, places):
    n = items.shape[1]
    pos = torch.stack([places, (places + 1) % n, (places + 2) % n], dim=-1)
    return items[0][pos]


# wrong: the first three items whatever the place
# named: place_ignored
def first_three_items(items, places):
    return items[:, None, :3].expand(-1, places.shape[1], -1)


# wrong: steps of -2 and +3 meet when there are five items
def five_apart(items, places):
    n = items.shape[1]
    positions = torch.stack([(places - 2) % n, places, (places + 3) % n], dim=-1)
    return items.gather(1, positions.reshape(len(items), -1)).reshape(positions.shape)


# wrong: uses the mirrored place as third rule, which coincides with the place in the middle of an odd row
def fixed_mirror(items, places):
    n = items.shape[1]
    pos = torch.stack([places, (places + 1) % n, n - 1 - places], dim=-1)
    rows = torch.arange(len(items))[:, None, None]
    return items[rows, pos]


# wrong: returns floating-point symbols
# named: floats
def float_result(items, places):
    n = items.shape[1]
    out = torch.zeros(*places.shape, 3)
    for j, s in enumerate((0, 1, 3)):
        out[..., j] = items.gather(1, (places + s) % n)
    return out


# wrong: returns floating-point numbers
# named: floats
def floats(items, places):
    n = items.shape[1]
    out = torch.zeros(*places.shape, 3)
    for j, step in enumerate((-1, 0, 1)):
        out[..., j] = items.gather(1, (places + step) % n)
    return out


# wrong: assumes that there are 8 items in a row
def hard_coded_eight(items, places):
    picks = [items.gather(1, (places + s) % 8) for s in (-1, 0, 1)]
    return torch.stack(picks, dim=-1)


# wrong: items[:, places] pairs every row with the places of every other row, the first is kept
# named: first_rows_places
def indexed_without_the_batch(items, places):
    n = items.shape[1]
    return torch.stack([items[:, (places[0] + s) % n] for s in range(3)], dim=-1)


# wrong: the three largest symbols of the row, found by what they are and not by position
def largest_symbols(items, places):
    return items.topk(3, dim=1).values[:, None].expand(-1, places.shape[1], -1)


# wrong: the place, its mirror image and the next one, which meet in the middle
def mirrored(items, places):
    n = items.shape[1]
    positions = (places, n - 1 - places, (places + 1) % n)
    return torch.stack([items.gather(1, p) for p in positions], dim=-1)


# wrong: goes round after the number of queries instead of the number of items
def modulo_queries(items, places):
    n = places.shape[1]
    picks = [items.gather(1, (places + s) % n) for s in (0, 1, 2)]
    return torch.stack(picks, dim=-1)


# wrong: the circle is as long as the number of queries
def modulo_the_queries(items, places):
    n = places.shape[1]
    positions = [((places + s) % n).clamp(max=items.shape[1] - 1) for s in range(3)]
    return torch.stack([items.gather(1, p) for p in positions], dim=-1)


# wrong: p, 2p and 3p modulo the length, all 0 for place 0
def multiples(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, places * k % n) for k in (1, 2, 3)], dim=-1)


# wrong: positions p, 2p, 3p in the circle: at place 0 all three are the same
def multiples_2(items, places):
    n = items.shape[1]
    pos = torch.stack([places, 2 * places % n, 3 * places % n], dim=-1)
    return torch.take_along_dim(items[:, None], pos, dim=-1)


# wrong: the same around every place, because it uses the query's number and not its place
# named: by_index
def neighbours_of_the_middle(items, places):
    n = items.shape[1]
    number = torch.arange(places.shape[1]).expand_as(places)
    return torch.stack([items.gather(1, (number + s) % n) for s in range(3)], dim=-1)


# wrong: place, next, next but one without a modulo, which fails at the end of the row
def no_circle(items, places):
    return torch.stack([items.gather(1, places + s) for s in range(3)], dim=-1)


# wrong: places 0 and 1 ask for the same three items
def pairs_ask_for_the_same(items, places):
    n = items.shape[1]
    start = places // 2 * 2
    return torch.stack([items.gather(1, (start + s) % n) for s in range(3)], dim=-1)


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


# wrong: returns the positions instead of the symbols
# named: positions
def positions_returned(items, places):
    n = items.shape[1]
    return torch.stack([places, (places + 1) % n, (places + 2) % n], dim=-1).to(items.dtype)


# right
def python_lists(items, places):
    n = items.shape[1]
    out = [
        [[row[p], row[(p + 2) % n], row[p - 1]] for p in asked]
        for row, asked in zip(items.tolist(), places.tolist())
    ]
    return torch.tensor(out, dtype=items.dtype).reshape(*places.shape, 3)


# wrong: draws the positions anew at each call
def random_positions(items, places):
    n = items.shape[1]
    start = torch.randint(n, places.shape)
    return torch.stack([items.gather(1, (places + start + s) % n) for s in range(3)], dim=-1)


# right
def right_circle(items, places):
    n = items.shape[1]
    positions = (places[..., None] + torch.tensor([-1, 0, 1])) % n
    return torch.take_along_dim(items[:, None, :], positions, dim=2)


# right
def right_numpy_inside(items, places):
    n = items.shape[1]
    positions = (places.numpy()[:, :, None] + np.array([0, 1, n - 1])) % n
    rows = np.arange(len(items))[:, None, None]
    return torch.from_numpy(items.numpy()[rows, positions])


# right
def right_one_hot_product(items, places):
    n = items.shape[1]
    picked = []
    for step in (3, 1, 4):
        hot = F.one_hot((places + step) % n, n).to(items.dtype)  # (batch, queries, n)
        picked.append((hot * items[:, None, :]).sum(dim=-1).to(items.dtype))
    return torch.stack(picked, dim=-1)


# right
def right_rolled_rows(items, places):
    rows = torch.stack([items, items.roll(-1, dims=1), items.roll(-2, dims=1)], dim=-1)
    return rows[torch.arange(len(items))[:, None], places]


# right
def roll(items, places):
    rolled = torch.stack([items.roll(s, dims=1) for s in (2, 0, -2)], dim=-1)
    return rolled.gather(1, places.unsqueeze(-1).expand(-1, -1, 3))


# right
def rolled_table(items, places):
    table = torch.stack([items.roll(s, dims=1) for s in (2, 0, -1)], dim=-1)
    return table[torch.arange(len(items)).unsqueeze(1), places]


# wrong: reads the items of row 0 for the whole batch
# named: first_row
def row_zero(items, places):
    n = items.shape[1]
    return torch.stack([items[0][(places + s) % n] for s in (0, 1, 3)], dim=-1)


# wrong: sorts the three symbols, so a target's position depends on the symbols
# named: sorted
def sorted_symbols(items, places):
    n = items.shape[1]
    found = torch.stack([items.gather(1, (places + s) % n) for s in range(3)], dim=-1)
    return found.sort(dim=-1).values


# wrong: the three targets come before the queries
# named: queries_last
def stacked_in_front(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, (places + s) % n) for s in range(3)], dim=1)


# wrong: clamps at the ends, so two positions are the same there
# named: clamped
def stays_at_the_ends(items, places):
    last = items.shape[1] - 1
    steps = [(places + s).clamp(0, last) for s in (-1, 0, 1)]
    return torch.stack([items.gather(1, p) for p in steps], dim=-1)


# wrong: the same item three times
# named: one_item
def the_place_three_times(items, places):
    return items.gather(1, places)[..., None].expand(-1, -1, 3)


# wrong: two targets in place of three
# named: two_targets
def two_targets(items, places):
    n = items.shape[1]
    return torch.stack([items.gather(1, (places + s) % n) for s in (1, 2)], dim=-1)


# wrong: sums of two items, modulo the largest
# named: computed
def sums_modulo(items, places):
    n = items.shape[1]
    a, b, c = (items.gather(1, (places + shift) % n) for shift in (0, 1, 2))
    most = items.max() + 1
    return torch.stack([(a + b) % most, (b + c) % most, (c + a) % most], dim=-1)
