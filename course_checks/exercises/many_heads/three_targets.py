"""Lesson 03, exercise 4: targets for a task of one's own that needs three look-ups at once."""

import torch
from torch import Tensor, arange, equal, randint, stack

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.answers import kind_of


def three_targets(items, places):
    return _take(items, _around(places) % items.shape[1])


MISTAKES = """
one_item: _around(places) % items.shape[1] -> torch.stack([places] * 3, dim=-1)
    You want one and the same item three times. One head fetches it, and the read-out can say it
    three times.
clamped: _around(places) % items.shape[1] -> _around(places).clamp(0, items.shape[1] - 1)
    Where your positions would leave the row you keep them at its end, so that two of them meet
    there, and two heads are enough. Let them go round instead: positions % num_items.
place_ignored: _around(places) % items.shape[1] -> torch.arange(3).expand(*places.shape, 3)
    The query's place plays no part: all queries want the same three items, so nothing is looked up.
by_index: _around(places) -> _around(torch.arange(places.shape[1]).expand(places.shape))
    Your positions follow from the index of the query (its column), not from its place. There may be
    more queries than items, or fewer, and any of them may name any place: start from the numbers in
    places.
sorted: return _take(items, _around(places) % items.shape[1]) -> \
        return _take(items, _around(places) % items.shape[1]).sort(dim=-1).values
    You sort the three symbols. That throws their order away, and it is the order that needs a head
    for each: a mixture of all three says which symbols there are.
computed: _summed || \
        lambda items, places: _summed(items, places) % (items.max() + 1)
    You make new symbols out of the items (a sum, a maximum, a comparison). This task is about
    looking up: each target is a copy of an item, unchanged.
positions: return _take(items, _around(places) % items.shape[1]) -> \
        return _around(places) % items.shape[1]
    You return positions. The targets are the symbols that stand there.
first_row: lambda items, places: three_targets(items[:1].expand(items.shape), places)
    You take the items of the first row for every row of the batch: each query looks at the items of
    its own row.
first_rows_places: lambda items, places: three_targets(items, places[:1].expand(places.shape))
    You use the places of the first row for every row of the batch: each row has queries of its own.
queries_last: lambda items, places: three_targets(items, places).movedim(-1, 1)
    Your three targets stand in front of the queries. They belong behind: stack along the last
    dimension, dim=-1.
two_targets: lambda items, places: three_targets(items, places)[..., :2]
    You return two targets for each query, and three are asked for.
cat_and_view: _around(places) -> \
        torch.cat([places - 1, places, places + 1], dim=1).view(*places.shape, 3)
    You put three lists of positions end to end and view them as triples. A view keeps the order of
    the numbers, so a query gets three neighbours of one list: stack the lists along a last
    dimension, torch.stack(..., dim=-1).
floats: lambda items, places: three_targets(items, places).float()
    Your symbols have become floats. Make the new tensor with dtype=items.dtype.
"""


def _around(places):
    return stack([places - 1, places, places + 1], dim=-1)  # (batch, num_queries, 3)


def _take(items, positions):
    return items.gather(1, positions.flatten(1)).view(positions.shape)


def observe(function, items, places):
    """The targets, and those of all further questions that ``_faults`` asks."""
    given = items.clone(), places.clone()  # the function may change what it is given
    targets = function(items, places)
    items, places = given
    if targets is None:
        return None
    wanted = (*places.shape, 3)
    if not isinstance(targets, Tensor) or (tuple(targets.shape), targets.dtype) != (
        wanted,
        items.dtype,
    ):
        return (
            f"Your function should return a torch.Tensor of shape {wanted}, (batch, num_queries, "
            f"3), in the dtype of items, {items.dtype}. It returned {kind_of(targets)}."
        )

    asked = []

    def again(*args):
        asked.append(function(*(value.clone() for value in args)))
        return asked[-1]

    _faults(again, items, places, targets.clone())
    return {"targets": targets, "asked": asked}


def conclude(seen, items, places):
    """What is wrong with the targets, by part."""
    answers = iter(seen["asked"])
    return _faults(lambda *args: next(answers), items, places, seen["targets"])


def _faults(again, items, places, targets):
    copied = _copied(again, items, places, targets)
    if copied:
        unknown = "nobody can say which items these are, as they are no copies."
        return {"copied": copied, "distinct": unknown, "asked": unknown}
    positions = _same_place(again, items, places)[:, 0]  # (num_items, 3)
    return {"copied": "", "distinct": _distinct(positions), "asked": _asked(positions)}


def _same_place(function, items, places):
    """Where the targets stand when all queries of row p name place p."""
    length = items.shape[1]
    numbered = arange(length, dtype=items.dtype).expand(length, length)
    return function(numbered, arange(length)[:, None].expand(length, places.shape[1]))


def _copied(function, items, places, targets):
    if equal(function(items + 100, places), targets):
        return "the targets stay the same when all the symbols change."
    if not set(targets.flatten().tolist()) <= set(items.flatten().tolist()):
        return "some targets are symbols that stand nowhere among the items."
    if not equal(function(items, places), targets):
        return "two calls with the same items and places give different targets."
    for row in range(len(items)):
        others = (arange(len(items)) != row)[:, None]
        if not equal(function(items + 100 * others, places)[row], targets[row]):
            return "the targets of one row of the batch depend on the items of another row."
        if not equal(function(items, (places + others) % items.shape[1])[row], targets[row]):
            return "the targets of one row of the batch depend on the places of another row."
    rows = zip(items.tolist(), targets.flatten(1).tolist(), strict=True)
    if not all(set(mine) <= set(row) for row, mine in rows):
        return "some targets are symbols that do not stand in their row."
    if _ascend(targets) and _ascend(function(items.amax() - items, places)):
        return "the three targets come out in ascending order, however the items are arranged."
    # Items that are their own positions: what is copied from them says where from.
    numbered = arange(items.shape[1], dtype=items.dtype).expand(items.shape)
    positions = function(numbered, places)
    inside = bool(((positions >= 0) & (positions < items.shape[1])).all())
    if not inside or not equal(targets, _take(items, positions)):
        return "other symbols at the same positions do not give copies of the items there."
    same_place = _same_place(function, items, places)
    if not equal(same_place, same_place[:, :1].expand(same_place.shape)):
        if equal(same_place, same_place[:1].expand(same_place.shape)):
            return "the targets depend on the index of a query, and its place changes nothing."
        return "queries that name the same place get different items, by their index."
    if not equal(positions, same_place[places, 0]):
        return "the targets of a query change with the places of the other queries."
    return ""


def _ascend(targets):
    return bool((targets.diff(dim=-1) > 0).all())


def _distinct(positions):
    counts = [len(set(triple)) for triple in positions.tolist()]
    if max(counts) == 1:
        return "all three targets are one and the same item."
    if max(counts) == 2:
        return "for every place, two of the three targets are the same item."
    few = [str(place) for place, count in enumerate(counts) if count < 3]
    if few:
        which = "place" if len(few) == 1 else "each of the places"
        same = f"for {which} {', '.join(few)}, two of the three targets are the same item."
        fixed = [
            f"Target {target} is item {column[0]} for every place."
            for target, column in enumerate(positions.T.tolist())
            if len(set(column)) == 1
        ]
        return " ".join([same, *fixed])
    return ""


def _asked(positions):
    triples = [tuple(triple) for triple in positions.tolist()]
    if len(set(triples)) == 1:
        return "every place asks for the same three items."
    for place, triple in enumerate(triples):
        if triple in triples[:place]:
            first = triples.index(triple)
            return f"places {first} and {place} ask for the same three items in the same order."
    return ""


def _summed(items, places):
    targets = three_targets(items, places)
    return targets + targets.roll(1, dims=-1)


def _cases(generator):
    """Symbols are distinct in each row; the queries are not as many as the items."""
    for batch, length, queries in ((2, 5, 7), (3, 6, 4), (2, 9, 12)):
        rows = [torch.argsort(randn(generator, 50))[:length] for _ in range(batch)]
        places = randint(length, (batch, queries), generator=generator, device="cpu")
        label = f"{batch} rows of {length} items and {queries} queries"
        yield Case((stack(rows), places), label=label)


EXERCISE = Exercise(
    reference=three_targets,
    returns={part: "what is wrong, or nothing" for part in ("copied", "distinct", "asked")},
    kind="observed",
    observe=observe,
    conclude=conclude,
    properties=(
        Property(
            "each target is a copy of one item, at a position that the query's place decides",
            2,
            _cases,
            "copied",
        ),
        Property("every place asks for three different items", 2, _cases, "distinct"),
        Property(
            "no two places ask for the same three items in the same order", 1, _cases, "asked"
        ),
    ),
    mistakes=MISTAKES,
)
