"""Lesson 15, exercise 4: the key heads of one device, where query heads share them."""

from torch import randint

from course_checks.exercise import Case, Exercise, Property, all_of, random_cases


def key_heads_of(rank, num_devices, num_heads, num_kv_heads):
    here = num_heads // num_devices
    group = num_heads // num_kv_heads
    first = rank * here // group
    last = ((rank + 1) * here - 1) // group
    devices = range(num_devices)
    holders = [r for r in devices if r * here // group <= first <= ((r + 1) * here - 1) // group]
    return [first, last - first + 1, len(holders)]


MISTAKES = """
in_turns: [first, -> [rank % num_kv_heads, || [rank * (last - first + 1) % num_kv_heads,
    You deal the key heads out in turns. Neighbouring query heads share a key head, so neighbouring
    devices do.
divided_to_nothing: [first, last - first + 1, len(holders)] -> \
        [rank * (num_kv_heads // num_devices), num_kv_heads // num_devices, 1]
or: [first, last - first + 1 -> [rank * (num_kv_heads // num_devices), num_kv_heads // num_devices
or: last - first + 1 -> num_kv_heads // num_devices
or: last - first + 1, len(holders)] -> num_kv_heads // num_devices, 1]
    Your second number is 0 where there are fewer key heads than devices. But each device needs a
    key head.
holders_divided_to_nothing: len(holders)] -> num_devices // num_kv_heads]
    Your third number is 0 where there are more key heads than devices. A key head is on one at
    least.
both_divided_to_nothing: last - first + 1, len(holders)] -> \
        num_kv_heads // num_devices, num_devices // num_kv_heads] && [first, -> \
        [rank * (num_kv_heads // num_devices),
or: last - first + 1, len(holders)] -> num_kv_heads // num_devices, num_devices // num_kv_heads]
    Your second number is 0 where there are fewer key heads than devices, and your third where there
    are more. None may be: // gives 0 for less than a whole.
fraction: [first, -> [rank * num_kv_heads / num_devices,
    Your first key head is a fraction on some devices. Divide with //.
all_on_each: [first, last - first + 1, len(holders)] -> [0, num_kv_heads, num_devices]
or: last - first + 1 -> num_kv_heads
    You give every device all key heads. It needs those of its own query heads.
query_heads: [first, last - first + 1, len(holders)] -> [rank * here, here, 1] || \
        [first, last - first + 1 -> [rank * here, here || last - first + 1 -> here
    You count query heads. Several share a key head: query head h uses h // (num_heads //
    num_kv_heads).
first_query_head: [first, -> [rank * here,
    Your first number is the device's first query head. Asked is the key head that it uses.
key_heads_for_group: num_heads // num_kv_heads -> num_kv_heads
or: [first, -> [rank * here // num_kv_heads,
    You divide a query head by num_kv_heads. Divide it by how many share a key head, num_heads //
    num_kv_heads.
rank_for_head: [first, -> [rank, || [0,
    Your first key head is the rank, or always 0. It is the one that the first query head uses.
rank_where_several: [first, -> [rank // max(1, num_devices // num_kv_heads),
    Your first key head is the rank where a device holds several. There it is rank times so many.
always_one: last - first + 1 -> 1
    You say that each device holds one key head. With more key heads than devices, it holds several.
no_copies: len(holders)] -> 1] || num_devices]
    Your third number is always 1, or all devices. Those hold a key head whose query heads use it.
group_for_holders: len(holders)] -> group]
    Your third number is how many query heads share a key head. Count devices.
others_alone: len(holders)] -> len(holders) - 1]
    Your third number is one too small. Was this device left out? It holds the key head too.
last_for_count: last - first + 1 -> last
    Your second number is the last key head of the device. It is how many there are.
"""


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
    reference=key_heads_of,
    returns={"key heads": "[the first, how many, devices that hold the first]"},
    kind="numbers",
    optional=("num_heads",),  # the smaller number divides the larger, so the others are enough
    properties=(
        Property(
            "as many key heads as devices, or more: they are divided",
            2,
            all_of(random_cases((1, 2, 4, 4), (1, 2, 8, 4)), _drawn(False)),
        ),
        Property(
            "fewer key heads than devices: some devices hold the same one",
            3,
            all_of(random_cases((1, 2, 4, 1), (2, 4, 8, 2)), _drawn(True)),
        ),
        Property(
            "one device, and one device for each head", 1, random_cases((0, 1, 6, 2), (5, 6, 6, 2))
        ),
    ),
    mistakes=MISTAKES,
)
