"""Lesson 15, exercise 6: what a device sends, by heads and by tokens."""

from functools import partial

from course_lib.checks.exercise import Case, Exercise, Property, randint


def bytes_sent(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    output = tokens * num_heads * head_dim * bytes_per_number
    keys_and_values = 2 * tokens * num_kv_heads * head_dim * bytes_per_number
    return [
        2 * (num_devices - 1) * output // num_devices,
        (num_devices - 1) * keys_and_values // num_devices,
    ]


MISTAKES = """
one_pass: 2 * (num_devices - 1) -> (num_devices - 1)
    You count one half of the all-reduce. Chunks go round twice: once to be added up, and once to
    bring the sum to all.
everything_to_everybody: 2 * (num_devices - 1) * output // num_devices -> (num_devices - 1) * output
or: * output // num_devices -> * output
    You let each device send its whole part to each other. In a ring a device sends chunks, each a
    num_devices-th of its part.
n_steps: 2 * (num_devices - 1) * output // num_devices -> 2 * output
or: 2 * (num_devices - 1) * output // num_devices -> 2 * output && \
        (num_devices - 1) * keys_and_values // num_devices -> keys_and_values
    You count num_devices steps in the all-reduce. There are num_devices - 1 in each half: what a
    device has already, nobody needs to send.
own_heads_summed: num_heads * head_dim -> (num_heads // num_devices) * head_dim
or: output // num_devices -> output // num_devices / num_devices
or: output // num_devices -> output // num_devices // num_devices
    You count a num_devices-th of the output in the all-reduce, as if it were divided as the heads
    are. Each device has a part of every number of it, and all are summed.
ring_n_steps: (num_devices - 1) * keys_and_values // num_devices -> keys_and_values
    You pass keys and values on num_devices times. In round 0 a device has its own, so there are
    num_devices - 1 passes.
ring_of_all_tokens: keys_and_values // num_devices -> keys_and_values
    You send the keys and values of all tokens in each round of the ring. A device passes on one
    chunk at a time: tokens // num_devices.
ring_once: (num_devices - 1) * keys_and_values -> (num_devices > 1) * keys_and_values
    You pass keys and values on once. They go round: num_devices - 1 times.
keys_alone: keys_and_values = 2 * tokens -> keys_and_values = tokens
    You count keys or values in the ring. Both travel.
queries_too: 2 * tokens * num_kv_heads -> tokens * (num_heads + 2 * num_kv_heads)
    You send queries round the ring as well. They stay: keys and values come to them.
query_heads: num_kv_heads * head_dim -> num_heads * head_dim
    You count query heads in the ring. Keys and values travel, and they belong to the key heads,
    num_kv_heads.
numbers: * bytes_per_number =>
    You count numbers. Each takes bytes_per_number bytes.
bits: * bytes_per_number => * bytes_per_number * 8
    You count in bits: eight times as many as bytes.
four_bytes: * bytes_per_number => * 4
    You count four bytes for each number, whatever bytes_per_number is.
of_all_devices: output // num_devices -> output // num_devices * num_devices && \
        keys_and_values // num_devices -> keys_and_values // num_devices * num_devices
    You count what all devices send together. Asked is what each of them sends.
exchanged: _bytes_sent_with(order=lambda pair: pair[::-1])
    Your two numbers stand in the other order: first the heads divided, then the tokens.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _bytes_sent_with(
    kv_heads=lambda h, kv: kv,
    summed=lambda h, n: h,
    roles=2,
    passes=2,
    reduce_steps=lambda n: (n - 1, n),
    ring_steps=lambda n: (n - 1, n),
    size=lambda b: b,
    order=lambda pair: pair,
):
    """A version that counts one thing otherwise."""

    def version(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
        unit = tokens * head_dim * size(bytes_per_number)
        up, down = reduce_steps(num_devices)
        ring_up, ring_down = ring_steps(num_devices)
        return order(
            [
                passes * up * unit * summed(num_heads, num_devices) // down,
                ring_up * roles * unit * kv_heads(num_heads, num_kv_heads) // ring_down,
            ]
        )

    return version


def _sizes(*sizes):
    return lambda generator: [Case(size) for size in sizes]


def _drawn(least, most, share):
    """Sizes that nobody can know beforehand; tokens divide among the devices."""

    def make(generator):
        draw = partial(randint, generator)
        cases = []
        for size in (4, 2, 1):
            n, kv = draw(least, most), draw(2, 6)
            heads = kv * (draw(2, 5) if share else 1)
            cases.append(Case((n * draw(3, 9), heads, kv, draw(3, 9), n, size)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="15",
    number=6,
    reference=bytes_sent,
    returns={"bytes": "[heads divided, tokens divided]"},
    kind="numbers",
    properties=(
        Property(
            "two devices, as many key heads as heads",
            1,
            lambda generator: [
                *_sizes((2, 1, 1, 3, 2, 4))(generator),
                *_drawn(2, 3, False)(generator),
            ],
        ),
        Property("more devices", 2, _drawn(3, 7, False)),
        Property("query heads that share key heads", 2, _drawn(3, 7, True)),
        Property("one device sends nothing", 1, _sizes((4, 2, 2, 3, 1, 4), (6, 4, 1, 5, 1, 2))),
    ),
    mistakes=MISTAKES,
)
