"""Lesson 15, exercise 4: the key heads of one device, where query heads share them."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Property


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    here = num_heads // num_devices
    group = num_heads // num_kv_heads
    first = rank * here // group
    last = ((rank + 1) * here - 1) // group
    devices = range(num_devices)
    holders = [r for r in devices if r * here // group <= first <= ((r + 1) * here - 1) // group]
    return [first, last - first + 1, len(holders)]


MISTAKES = """
in_turns: _key_heads_of_with(first=_dealt_out)
    You deal the key heads out in turns: device r gets key head r modulo num_kv_heads. Neighbouring
    query heads share a key head, so neighbouring devices do.
divided_to_nothing: _by_share
or: _key_heads_of_with(count=lambda right, sizes: _share(sizes))
or: _key_heads_of_with(count=lambda right, sizes: _share(sizes), holders=lambda r, s: 1)
    Your second number is 0 where there are fewer key heads than devices: // gives 0 for less than a
    whole. But each device needs a key head.
holders_divided_to_nothing: _key_heads_of_with(holders=lambda right, sizes: _holders(sizes))
    Your third number is 0 where there are more key heads than devices: // gives 0 for less than a
    whole. But a key head is on one device at least.
both_divided_to_nothing: lambda *sizes: [sizes[0] * _share(sizes), _share(sizes), _holders(sizes)]
or: _key_heads_of_with(count=lambda right, sizes: _share(sizes), holders=lambda right, sizes: \
        _holders(sizes))
    Your second number is 0 where there are fewer key heads than devices, and your third where there
    are more: // gives 0 for less than a whole. But each device needs a key head, and each key head
    a device.
fraction: _key_heads_of_with(first=lambda right, sizes: sizes[0] * sizes[3] / sizes[1])
    Your first key head is a fraction on some devices. Divide with //, which gives the whole number
    below.
all_on_each: lambda rank, n, num_heads, num_kv_heads: [0, num_kv_heads, n]
or: _key_heads_of_with(count=lambda right, sizes: sizes[3])
    You give every device all key heads. It needs those of its own query heads.
query_heads: _query_heads
or: _key_heads_of_with(first=lambda right, sizes: \
        _first_query_head(sizes), count=lambda right, sizes: sizes[2] // sizes[1])
or: _key_heads_of_with(count=lambda right, sizes: sizes[2] // sizes[1])
    You count query heads. Several of them share a key head: query head h uses key head h //
    (num_heads // num_kv_heads).
first_query_head: _key_heads_of_with(first=lambda right, sizes: _first_query_head(sizes))
    Your first number is the device's first query head. Asked is the key head that it uses: divide
    by the number of query heads that share one.
key_heads_for_group: _key_heads_for_group
or: _key_heads_of_with(first=lambda right, sizes: _first_query_head(sizes) // sizes[3])
    You divide a query head by num_kv_heads. Divide it by the number of query heads that share a key
    head, which is num_heads // num_kv_heads.
rank_for_head: _key_heads_of_with(first=lambda right, sizes: sizes[0])
    Your first key head is the rank. It is the one that the device's first query head uses.
rank_where_several: _key_heads_of_with(first=lambda right, sizes: sizes[0] // max(1, \
        _holders(sizes)))
    Your first key head is the rank where there are more key heads than devices. There each device
    holds several of them, so its first is rank times so many.
first_of_all: _key_heads_of_with(first=lambda right, sizes: 0)
    Your first key head is 0 on every device. It is the one that the device's first query head uses.
always_one: _key_heads_of_with(count=lambda right, sizes: 1)
    You say that each device holds one key head. With more key heads than devices, it holds several.
no_copies: _key_heads_of_with(holders=lambda right, sizes: 1)
    Your third number is always 1. Where there are fewer key heads than devices, several devices
    hold the same key head.
every_device: _key_heads_of_with(holders=lambda right, sizes: sizes[1])
    Your third number is the number of devices. Only those hold a key head whose query heads use it.
group_for_holders: _key_heads_of_with(holders=lambda right, sizes: sizes[2] // sizes[3])
    Your third number is the number of query heads that share a key head. Several of them may be on
    one device: count devices.
others_alone: _key_heads_of_with(holders=lambda right, sizes: right[2] - 1)
    Your third number is one too small. Was this device left out? It holds the key head too.
last_for_count: _key_heads_of_with(count=lambda right, sizes: right[0] + right[1] - 1)
    Your second number is the last key head of the device. It is how many there are.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _key_heads_of_with(
    first=lambda right, sizes: right[0],
    count=lambda right, sizes: right[1],
    holders=lambda right, sizes: right[2],
):
    """The right answer with one of its numbers exchanged; ``sizes`` are the arguments."""

    def version(*sizes):
        right = key_heads_of(*sizes)
        return [first(right, sizes), count(right, sizes), holders(right, sizes)]

    return version


def _key_heads_for_group(rank, num_devices, num_heads, num_kv_heads):
    """All three numbers, with num_kv_heads for the size of a group."""
    here = num_heads // num_devices

    def held_by(device):
        return {head // num_kv_heads for head in range(device * here, (device + 1) * here)}

    first = min(held_by(rank))
    return [first, len(held_by(rank)), sum(first in held_by(r) for r in range(num_devices))]


def _dealt_out(right, sizes):
    rank, _, _, num_kv_heads = sizes
    return rank % num_kv_heads


def _share(sizes):
    """Key heads divided by devices, as if they always divided."""
    _, n, _, num_kv_heads = sizes
    return num_kv_heads // n


def _holders(sizes):
    """Devices divided by key heads, as if they always divided."""
    _, n, _, num_kv_heads = sizes
    return n // num_kv_heads


def _first_query_head(sizes):
    rank, n, num_heads, _ = sizes
    return rank * (num_heads // n)


def _by_share(*sizes):
    return [sizes[0] * _share(sizes), _share(sizes), 1]


def _query_heads(*sizes):
    rank, n, num_heads, _ = sizes
    return [rank * (num_heads // n), num_heads // n, 1]


def _exact(*sizes):
    """Cases (rank, devices, heads, key heads)."""
    return lambda generator: [Case(size) for size in sizes]


def _drawn(few):
    """Sizes that nobody can know beforehand: fewer key heads than devices, or more."""

    def make(generator):
        def draw(choices):
            return choices[int(randint(len(choices), (), generator=generator))]

        cases = []
        for _ in range(4):
            smaller, factor, more = draw((1, 2, 3)), draw((2, 3)), draw((1, 2, 3))
            if few:
                num_kv_heads, n = smaller, smaller * factor
            else:
                num_kv_heads, n = smaller * factor, smaller
            num_heads = max(num_kv_heads, n) * more
            cases += [
                Case((rank, n, num_heads, num_kv_heads)) for rank in (0, n - 1, draw(range(n)))
            ]
        return cases

    return make


EXERCISE = Exercise(
    lesson="15",
    number=4,
    reference=key_heads_of,
    returns={"key heads": "[the first, how many, devices that hold the first]"},
    kind="numbers",
    optional=("num_heads",),  # the smaller number divides the larger, so the others are enough
    properties=(
        Property(
            "as many key heads as devices, or more: they are divided",
            2,
            lambda generator: [
                *_exact((1, 2, 4, 4), (1, 2, 8, 4))(generator),
                *_drawn(False)(generator),
            ],
        ),
        Property(
            "fewer key heads than devices: some devices hold the same one",
            3,
            lambda generator: [
                *_exact((1, 2, 4, 1), (3, 4, 8, 2))(generator),
                *_drawn(True)(generator),
            ],
        ),
        Property("one device, and one device for each head", 1, _exact((0, 1, 6, 2), (5, 6, 6, 2))),
    ),
    mistakes=MISTAKES,
)
