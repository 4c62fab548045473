"""Lesson 15, exercise 6: what a device sends, by heads and by tokens."""

from functools import partial

from course_checks.exercise import Case, Exercise, Property, all_of, randint, random_cases
from course_checks.judge.calling import call


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    output = tokens * num_heads * head_dim * bytes_per_number
    keys_and_values = 2 * tokens * num_kv_heads * head_dim * bytes_per_number
    return [
        2 * (num_devices - 1) * output // num_devices,
        (num_devices - 1) * keys_and_values // num_devices,
    ]


MISTAKES = """
one_pass: 2 * (num_devices - 1) -> (num_devices - 1)
    You count one half of the all-reduce. Chunks go round twice: to be added up, and to bring the
    sum to all.
everything_to_everybody: 2 * (num_devices - 1) * output // num_devices -> (num_devices - 1) * output
or: * output // num_devices -> * output
    You send each device's whole part to each other. In a ring a device sends chunks, each a
    num_devices-th of its part.
n_steps: 2 * (num_devices - 1) * output // num_devices -> 2 * output
or: 2 * (num_devices - 1) * output // num_devices -> 2 * output && \
        (num_devices - 1) * keys_and_values // num_devices -> keys_and_values
or: (num_devices - 1) * keys_and_values // num_devices -> keys_and_values
    You count num_devices steps. There are num_devices - 1: what a device has, nobody needs to send.
own_heads_summed: num_heads * head_dim -> (num_heads // num_devices) * head_dim
or: output // num_devices -> output // num_devices / num_devices
or: output // num_devices -> output // num_devices // num_devices
    You count a num_devices-th of the output in the all-reduce. Each device has a part of every
    number of it, and all are summed.
ring_of_all_tokens: keys_and_values // num_devices -> keys_and_values
    You send the keys and values of all tokens in each round. A device passes on one chunk.
ring_once: (num_devices - 1) * keys_and_values -> (num_devices > 1) * keys_and_values
    You pass keys and values on once. They go round: num_devices - 1 times.
keys_alone: keys_and_values = 2 * tokens -> keys_and_values = tokens
    You count keys or values in the ring. Both travel.
query_heads: num_kv_heads * head_dim -> num_heads * head_dim
or: 2 * tokens * num_kv_heads -> tokens * (num_heads + 2 * num_kv_heads)
    You count queries in the ring. Keys and values travel, and they belong to num_kv_heads.
numbers: * bytes_per_number =>
    You count numbers. Each takes bytes_per_number bytes.
bits: * bytes_per_number => * bytes_per_number * 8 || * 4
    You do not count bytes_per_number bytes for each number, but always four, or bits.
of_all_devices: output // num_devices -> output // num_devices * num_devices && \
        keys_and_values // num_devices -> keys_and_values // num_devices * num_devices
    You count what all devices send together. Asked is what each of them sends.
floats: lambda *sizes: [float(number) for number in bytes_sent(*sizes)]
    {FLOATS}
exchanged: lambda *sizes: bytes_sent(*sizes)[::-1]
    Your two numbers stand in the other order: first the heads divided, then the tokens.
"""


def _drawn(least, most, share):
    """Sizes that nobody can know beforehand; tokens divide among the devices."""

    def make(generator):
        draw = partial(randint, generator)
        for size in (4, 2, 1):
            n, kv = draw(least, most), draw(2, 6)
            heads = kv * (draw(2, 5) if share else 1)
            yield Case((n * draw(3, 9), heads, kv, draw(3, 9), n, size))

    return make


FLOATS = (
    "Your numbers are right, and they are floats, such as 24.0. Bytes are counted in whole "
    "numbers: divide with //."
)


def _are_whole(function):
    numbers = []

    def watched(*sizes):
        numbers.extend(function(*sizes))
        return numbers

    call(EXERCISE, watched, (4, 2, 2, 3, 2, 4), 0)
    kinds = {str(getattr(number, "dtype", type(number))) for number in numbers}
    return (FLOATS, "") if any("float" in kind for kind in kinds) else None


EXERCISE = Exercise(
    reference=bytes_sent,
    returns={"bytes": "[heads divided, tokens divided]"},
    kind="numbers",
    properties=(
        Property(
            "two devices, as many key heads as heads",
            1,
            all_of(random_cases((2, 1, 1, 3, 2, 4)), _drawn(2, 3, False)),
        ),
        Property("more devices", 1, _drawn(3, 7, False)),
        Property("query heads that share key heads", 2, _drawn(3, 7, True)),
        Property(
            "one device sends nothing", 1, random_cases((4, 2, 2, 3, 1, 4), (6, 4, 1, 5, 1, 2))
        ),
        Property("the numbers are whole, of type int", 1, judge=_are_whole, measured_inside=True),
    ),
    mistakes=MISTAKES,
)
