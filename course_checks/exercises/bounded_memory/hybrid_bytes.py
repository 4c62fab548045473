"""Lesson 14, exercise 6: what each layer of a hybrid keeps of a text."""

from functools import partial

from course_checks.exercise import Case, Exercise, Property, randint


def hybrid_bytes(layers, num_heads, num_kv_heads, head_dim, window, bytes_per_number, tokens):
    one_token = 2 * num_kv_heads * head_dim * bytes_per_number  # its key and its value
    kept = {
        "global": tokens * one_token,
        "window": min(tokens, window) * one_token,
        "state": num_heads * head_dim * head_dim * 4,
    }
    return [kept[layer] for layer in layers]


MISTAKES = """
window_always_full: min(tokens, window) -> window
    Your windows are full from the first token on. A shorter text fills as much as it has tokens.
window_of_the_past: min(tokens, window) -> min(tokens, window - 1)
    You count one token too few in a window: the query's own token is kept too.
window_grows: min(tokens, window) -> tokens || min -> max
    Your windows keep more than a window. What leaves it is thrown away: min(tokens, window).
all_cut: tokens * one_token -> min(tokens, window) * one_token
    You cut all layers to the window. A global layer keeps the whole text.
state_grows: * 4 -> * 4 * tokens
    Your states grow with the text. A state has one size, whatever went into it.
state_as_a_cache: num_heads * head_dim * head_dim * 4 -> \
        2 * num_kv_heads * head_dim * bytes_per_number * tokens || \
        2 * num_kv_heads * head_dim * bytes_per_number || 2 * num_heads * head_dim * 4 || \
        head_dim * head_dim * 4 -> head_dim * 4
    You count a state as keys or values. It is one table a head, head_dim by head_dim.
state_with_a_total: head_dim * head_dim * 4 -> (head_dim * head_dim + head_dim) * 4
    You count one more row for each state. Here it is one table a head, of head_dim by head_dim.
state_of_one_head: num_heads * head_dim * head_dim -> head_dim * head_dim
    You count the state of one head. Each head has its own.
state_of_the_key_heads: num_heads * head_dim * head_dim -> num_kv_heads * head_dim * head_dim
    You count a state for each key head. In this model each of num_heads heads has its own.
state_of_the_width: num_heads * head_dim * head_dim -> num_heads * num_heads * head_dim * head_dim
    You square the width of all heads together. Each head has its own table, head_dim by head_dim.
state_in_small_numbers: head_dim * 4 -> head_dim * bytes_per_number
    You count the state in numbers of bytes_per_number bytes. It is kept in float32: 4 bytes.
cache_in_large_numbers: head_dim * bytes_per_number -> head_dim * 4
    You count keys and values with 4 bytes. They have bytes_per_number.
state_twice: head_dim * 4 -> head_dim * 4 * 2
    You count two tables a head for the state. Keys and values are not kept apart: it is one.
keys_alone: 2 * num_kv_heads -> num_kv_heads
    You count only the keys or only the values in the caches. Both are kept.
query_heads: 2 * num_kv_heads -> 2 * num_heads
    You count the query heads in the caches. What is kept there belongs to the key heads.
numbers: * bytes_per_number -> && head_dim * 4 -> head_dim
or: * bytes_per_number ->
    You count numbers where bytes are asked for: bytes_per_number each in a cache, 4 in a state.
sum_for_each: [kept[layer] for layer in layers] -> \
        [sum(kept[layer] for layer in layers)] * len(layers)
    You give the sum of all layers. Give a number for each layer, in their order.
from_the_top: in layers -> in layers[::-1]
    Your numbers stand in the opposite order: entry 0 belongs to the first layer of the list.
"""


def _drawn(*patterns, long=True):
    """The text is longer than the window, or shorter; all sizes differ."""

    def make(generator):
        draw = partial(randint, generator)
        for pattern, number in zip(patterns, (2, 8, 1), strict=False):  # a state's have 4 bytes
            kv_heads, size, window = draw(2, 4), 3 * draw(3, 7), draw(7, 12)
            tokens = window + draw(5, 60) if long else window - draw(1, 5)
            heads = kv_heads * draw(2, 5)
            args = (pattern, heads, kv_heads, size, window, number, tokens)
            yield Case(args, label=" ".join(pattern))

    return make


GLOBAL, WINDOW, STATE = "global", "window", "state"
EXERCISE = Exercise(
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
    mistakes=MISTAKES,
)
