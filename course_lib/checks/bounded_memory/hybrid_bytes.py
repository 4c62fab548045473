"""Lesson 14, exercise 6: what each layer of a hybrid keeps of a text."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    one_token = 2 * num_kv_heads * head_dim * bytes_per_number  # its key and its value
    kept = {
        "global": tokens * one_token,
        "window": min(tokens, window) * one_token,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


# --- wrong versions -----------------------------------------------------------------------------


def _in_order(kept, layers):
    return [kept[layer] for layer in layers]


def _hybrid_bytes_with(
    full=lambda tokens, window: tokens,
    near=min,
    state=lambda heads, kv_heads, size, number, tokens: heads * size * size * 4,
    roles=2,
    heads=lambda q, kv: kv,
    number=lambda bytes_per_number: bytes_per_number,
    put=_in_order,
):
    """A version that counts one of the three otherwise."""

    def version(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
        one = roles * heads(num_heads, num_kv_heads) * head_dim * number(bytes_per_number)
        kept = {
            "global": full(tokens, window) * one,
            "window": near(tokens, window) * one,
            "state": state(num_heads, num_kv_heads, head_dim, bytes_per_number, tokens),
        }
        return put(kept, layers)

    return version


def _state(heads=lambda q, kv: q, size=lambda d: d * d, number=lambda b: 4, times=lambda n: 1):
    return lambda q, kv, d, b, n: heads(q, kv) * size(d) * number(b) * times(n)


def _sorted(kept, layers):
    return sorted(_in_order(kept, layers), reverse=True)


def _drawn(*patterns, long=True):
    """The text is longer than the window, or shorter; all sizes differ."""

    def make(generator):
        def draw(least, most):
            return int(randint(least, most, (), generator=generator))

        cases = []
        for pattern, number in zip(patterns, (2, 8, 1), strict=False):  # a state's have 4 bytes
            kv_heads, size, window = draw(2, 4), 3 * draw(3, 7), draw(7, 12)
            tokens = window + draw(5, 60) if long else window - draw(1, 5)
            heads = kv_heads * draw(2, 5)
            args = (pattern, heads, kv_heads, size, window, number, tokens)
            cases.append(Case(args, label=" ".join(pattern)))
        return cases

    return make


GLOBAL, WINDOW, STATE = "global", "window", "state"
EXERCISE = Exercise(
    lesson="14",
    number=6,
    reference=hybrid_bytes,
    returns={"bytes": "one number for each layer"},
    kind="numbers",
    properties=(
        Property(
            "layers that see everything, and layers with a window",
            2,
            _drawn((GLOBAL,), (WINDOW, GLOBAL), (WINDOW, WINDOW, GLOBAL, WINDOW)),
        ),
        Property(
            "layers with a state, between the others",
            2,
            _drawn((STATE,), (STATE, STATE, GLOBAL), (STATE, WINDOW, GLOBAL, STATE)),
        ),
        Property(
            "a text that is shorter than the window",
            1,
            _drawn((WINDOW,), (GLOBAL, WINDOW, STATE), long=False),
        ),
    ),
    mistakes=(
        Mistake(
            "window_always_full",
            "Your windows are full from the first token on. A text that is shorter than the window "
            "has filled as much as it has tokens.",
            _hybrid_bytes_with(near=lambda tokens, window: window),
        ),
        Mistake(
            "window_of_the_past",
            "You count one token too few in a window: the query's own token is one of them, and it "
            "is kept too.",
            _hybrid_bytes_with(near=lambda tokens, window: min(tokens, window - 1)),
        ),
        Mistake(
            "window_grows",
            "Your windows keep the whole text. What leaves the window is thrown away: "
            "min(tokens, window).",
            _hybrid_bytes_with(near=lambda tokens, window: tokens),
        ),
        Mistake(
            "largest",
            "You take the larger of tokens and window. A window keeps no more than either.",
            _hybrid_bytes_with(near=max),
        ),
        Mistake(
            "all_cut",
            "You cut all layers to the window. A global layer keeps the whole text.",
            _hybrid_bytes_with(full=min),
        ),
        Mistake(
            "state_grows",
            "Your states grow with the text. A state has one size, whatever went into it: that is "
            "what it is for.",
            _hybrid_bytes_with(state=_state(times=lambda n: n)),
        ),
        Mistake(
            "state_as_a_cache",
            "You count a state as keys and values. It is one table a head, head_dim by head_dim.",
            _hybrid_bytes_with(state=lambda q, kv, d, b, n: 2 * kv * d * b * n),
            also=(
                _hybrid_bytes_with(state=lambda q, kv, d, b, n: 2 * kv * d * b),
                _hybrid_bytes_with(state=lambda q, kv, d, b, n: 2 * q * d * 4),
            ),
        ),
        Mistake(
            "state_of_one_row",
            "Your state has head_dim numbers a head. It is a table: for each number of the key, "
            "one for each number of the value.",
            _hybrid_bytes_with(state=_state(size=lambda d: d)),
        ),
        Mistake(
            "state_with_a_total",
            "You count one more row for each state, such as a sum of the keys. Here a state is "
            "one table a head, of head_dim by head_dim.",
            _hybrid_bytes_with(state=_state(size=lambda d: d * d + d)),
        ),
        Mistake(
            "state_of_one_head",
            "You count the state of one head. Each head has its own.",
            _hybrid_bytes_with(state=_state(heads=lambda q, kv: 1)),
        ),
        Mistake(
            "state_of_the_key_heads",
            "You count a state for each key head. In this model each of num_heads heads has its "
            "own.",
            _hybrid_bytes_with(state=_state(heads=lambda q, kv: kv)),
        ),
        Mistake(
            "state_of_the_width",
            "You square the width of all heads together. Each head has a table of its own, of "
            "head_dim by head_dim.",
            _hybrid_bytes_with(state=_state(heads=lambda q, kv: q * q)),
        ),
        Mistake(
            "state_in_small_numbers",
            "You count the state in numbers of bytes_per_number bytes. It is kept in float32, 4 "
            "bytes: it is added to at each step, and small numbers would lose what is added.",
            _hybrid_bytes_with(state=_state(number=lambda b: b)),
        ),
        Mistake(
            "cache_in_large_numbers",
            "You count keys and values with 4 bytes. They have bytes_per_number; the 4 bytes are "
            "the state's.",
            _hybrid_bytes_with(number=lambda b: 4),
        ),
        Mistake(
            "state_twice",
            "You count two tables a head for the state. Keys and values are not kept apart in it: "
            "there is one table.",
            _hybrid_bytes_with(state=_state(times=lambda n: 2)),
        ),
        Mistake(
            "keys_alone",
            "You count only the keys or only the values in the caches. Both are kept.",
            _hybrid_bytes_with(roles=1),
        ),
        Mistake(
            "query_heads",
            "You count the query heads in the caches. What is kept there belongs to the key heads.",
            _hybrid_bytes_with(heads=lambda q, kv: q),
        ),
        Mistake(
            "numbers",
            "You count numbers where bytes are asked for: each takes bytes_per_number in a cache, "
            "and 4 in a state.",
            _hybrid_bytes_with(number=lambda b: 1, state=_state(number=lambda b: 1)),
            also=(_hybrid_bytes_with(number=lambda b: 1),),
        ),
        Mistake(
            "sum_for_each",
            "You give the sum of all layers. Give a number for each layer, in their order.",
            _hybrid_bytes_with(
                put=lambda kept, layers: [sum(_in_order(kept, layers))] * len(layers)
            ),
        ),
        Mistake(
            "sorted",
            "Your numbers are sorted. They belong in the order of the layers.",
            _hybrid_bytes_with(put=_sorted),
        ),
        Mistake(
            "from_the_top",
            "Your numbers stand in the opposite order: entry 0 belongs to the first layer of the "
            "list.",
            _hybrid_bytes_with(put=lambda kept, layers: _in_order(kept, layers)[::-1]),
        ),
    ),
)
