"""Lesson 15, exercise 4: the key heads of one device, where query heads share them."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    here = num_heads // num_devices
    group = num_heads // num_kv_heads
    first = rank * here // group
    last = ((rank + 1) * here - 1) // group
    devices = range(num_devices)
    holders = [r for r in devices if r * here // group <= first <= ((r + 1) * here - 1) // group]
    return [first, last - first + 1, len(holders)]


def _divisors(number):
    return [n for n in range(1, number + 1) if number % n == 0]


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
    mistakes=(
        Mistake(
            "in_turns",
            "You deal the key heads out in turns: device r gets key head r modulo num_kv_heads. "
            "Neighbouring query heads share a key head, so neighbouring devices do.",
            _key_heads_of_with(first=_dealt_out),
        ),
        Mistake(
            "divided_to_nothing",
            "Your second number is 0 where there are fewer key heads than devices: // gives 0 for "
            "less than a whole. But each device needs a key head.",
            _by_share,
            also=(
                _key_heads_of_with(count=lambda right, sizes: _share(sizes)),
                _key_heads_of_with(
                    count=lambda right, sizes: _share(sizes), holders=lambda r, s: 1
                ),
            ),
        ),
        Mistake(
            "holders_divided_to_nothing",
            "Your third number is 0 where there are more key heads than devices: // gives 0 for "
            "less than a whole. But a key head is on one device at least.",
            _key_heads_of_with(holders=lambda right, sizes: _holders(sizes)),
        ),
        Mistake(
            "both_divided_to_nothing",
            "Your second number is 0 where there are fewer key heads than devices, and your third "
            "where there are more: // gives 0 for less than a whole. But each device needs a key "
            "head, and each key head a device.",
            lambda *sizes: [sizes[0] * _share(sizes), _share(sizes), _holders(sizes)],
            also=(
                _key_heads_of_with(
                    count=lambda right, sizes: _share(sizes),
                    holders=lambda right, sizes: _holders(sizes),
                ),
            ),
        ),
        Mistake(
            "fraction",
            "Your first key head is a fraction on some devices. Divide with //, which gives the "
            "whole number below.",
            _key_heads_of_with(first=lambda right, sizes: sizes[0] * sizes[3] / sizes[1]),
        ),
        Mistake(
            "all_on_each",
            "You give every device all key heads. It needs those of its own query heads.",
            lambda rank, n, num_heads, num_kv_heads: [0, num_kv_heads, n],
            also=(_key_heads_of_with(count=lambda right, sizes: sizes[3]),),
        ),
        Mistake(
            "query_heads",
            "You count query heads. Several of them share a key head: query head h uses key head "
            "h // (num_heads // num_kv_heads).",
            _query_heads,
            also=(
                _key_heads_of_with(
                    first=lambda right, sizes: _first_query_head(sizes),
                    count=lambda right, sizes: sizes[2] // sizes[1],
                ),
                _key_heads_of_with(count=lambda right, sizes: sizes[2] // sizes[1]),
            ),
        ),
        Mistake(
            "first_query_head",
            "Your first number is the device's first query head. Asked is the key head that it "
            "uses: divide by the number of query heads that share one.",
            _key_heads_of_with(first=lambda right, sizes: _first_query_head(sizes)),
        ),
        Mistake(
            "key_heads_for_group",
            "You divide a query head by num_kv_heads. Divide it by the number of query heads that "
            "share a key head, which is num_heads // num_kv_heads.",
            _key_heads_for_group,
            also=(
                _key_heads_of_with(first=lambda right, sizes: _first_query_head(sizes) // sizes[3]),
            ),
        ),
        Mistake(
            "rank_for_head",
            "Your first key head is the rank. It is the one that the device's first query head "
            "uses.",
            _key_heads_of_with(first=lambda right, sizes: sizes[0]),
        ),
        Mistake(
            "rank_where_several",
            "Your first key head is the rank where there are more key heads than devices. There "
            "each device holds several of them, so its first is rank times so many.",
            _key_heads_of_with(first=lambda right, sizes: sizes[0] // max(1, _holders(sizes))),
        ),
        Mistake(
            "first_of_all",
            "Your first key head is 0 on every device. It is the one that the device's first query "
            "head uses.",
            _key_heads_of_with(first=lambda right, sizes: 0),
        ),
        Mistake(
            "always_one",
            "You say that each device holds one key head. With more key heads than devices, it "
            "holds several.",
            _key_heads_of_with(count=lambda right, sizes: 1),
        ),
        Mistake(
            "no_copies",
            "Your third number is always 1. Where there are fewer key heads than devices, several "
            "devices hold the same key head.",
            _key_heads_of_with(holders=lambda right, sizes: 1),
        ),
        Mistake(
            "every_device",
            "Your third number is the number of devices. Only those hold a key head whose query "
            "heads use it.",
            _key_heads_of_with(holders=lambda right, sizes: sizes[1]),
        ),
        Mistake(
            "group_for_holders",
            "Your third number is the number of query heads that share a key head. Several of "
            "them may be on one device: count devices.",
            _key_heads_of_with(holders=lambda right, sizes: sizes[2] // sizes[3]),
        ),
        Mistake(
            "others_alone",
            "Your third number is one too small. Was this device left out? It holds the key head "
            "too.",
            _key_heads_of_with(holders=lambda right, sizes: right[2] - 1),
        ),
        Mistake(
            "last_for_count",
            "Your second number is the last key head of the device. It is how many there are.",
            _key_heads_of_with(count=lambda right, sizes: right[0] + right[1] - 1),
        ),
    ),
)
