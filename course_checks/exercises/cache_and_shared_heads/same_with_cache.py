"""Lesson 13, exercise 6: a test that finds what is wrong with a cache."""

import torch

from course_checks.exercise import Exercise, Property
from course_checks.exercises.cache_and_shared_heads.cached_layers import layers


def same_with_cache(layer, x):
    at_once = layer(x)
    for size in (1, 2, 3, len(x)):
        cache = layer.new_cache()
        parts = [layer(part, cache) for part in x.split(size)]
        if not torch.allclose(torch.cat(parts), at_once, atol=1e-4):
            return False
    return True


MISTAKES = """
accepts_everything: lambda layer, x: True
or: torch.allclose(torch.cat(parts), at_once, atol=1e-4) -> \
        (torch.cat(parts) - at_once).mean().abs() < 1e-4
    Your test says True to every layer. Does it compare the numbers of the run with a cache with
    those of the run without? (In a mean of differences, those above 0 and those below cancel.)
rejects_everything: lambda layer, x: False || layer(part, cache) -> layer(part)
or: (1, 2, 3, len(x)) -> (1,) && layer(part, cache) -> layer(part, layer.new_cache())
or: at_once = layer(x) -> at_once, cache = layer(x), layer.new_cache() && \
        cache = layer.new_cache() ->
or: torch.allclose(torch.cat(parts), at_once, atol=1e-4) -> \
        torch.equal(torch.cat(parts), at_once) || atol=1e-4 -> rtol=0, atol=1e-8
    Your test says False to a right layer too. Do all parts of a text go into one cache, one after
    the other, and does each run get a new one? And what tolerance do you allow?
large_tolerance: atol=1e-4 -> atol=0.5 || atol=0.1 || rtol=0.1
or: torch.allclose(torch.cat(parts), at_once, atol=1e-4) -> \
        (torch.cat(parts) - at_once).norm() < 0.1 * at_once.norm()
    Your test lets differences pass that are far above rounding. A fault may move the outputs by
    little: allow about 1e-4.
chunks_not_seen: (1, 2, 3, len(x)) -> (1, 1)
or: torch.cat(parts), at_once -> torch.cat(parts)[-1], at_once[-1]
    Your test misses new tokens that come together and see each other. Send parts of two or three
    tokens too, and compare every output.
one_way_is_enough: (1, 2, 3, len(x)) -> (1,)
or: (1, 2, 3, len(x)) -> (1, 2, 3) && if not torch -> if torch && return False -> return True && \
        return True -> return False
    Your test misses two things: what only parts of several tokens show, and a new cache that is not
    new. Send the text in parts of one, two and three tokens, each time through a new_cache, and ask
    for all of them.
singles_behind_the_cache: (1, 2, 3, len(x)) -> (1, [3, 1, 1, 1, 1], 7) || \
        (1, [2, 1, 1, 1, 1, 1]) || (1, 7)
    Your test never sends several tokens where something is in the cache already. Their mask has to
    begin behind it: send parts of two or three to the end.
once: (1, 2, 3, len(x)) -> ([1, 2, 3, 1],) || (2,) || (4,) || (3,)
    Your test sends the text through one cache. One that is not empty at the start of the next text
    is noticed only there: call new_cache a second time.
nothing_in_the_cache: (1, 2, 3, len(x)) -> (7, 7) || (7,) || torch.cat(parts), at_once -> \
        torch.cat(parts)[0], at_once[0]
    Your test looks only at tokens that have nothing in the cache before them. Cut the text into
    parts, and compare every output.
short_text: at_once = layer(x) -> x = x[:3]; at_once = layer(x) && (1, 2, 3, len(x)) -> (1, [2, \
        1], [1, 2])
or: at_once = layer(x) -> x = x[:2]; at_once = layer(x) && (1, 2, 3, len(x)) -> (1, 2, 1)
    Your test looks at the first tokens of the text alone, and a cache may forget later. Use all of
    x.
inverted: lambda layer, x: not same_with_cache(layer, x)
    Your answers are the opposite: True is for a layer that gives the same with and without a cache.
"""

EXERCISE = Exercise(
    reference=same_with_cache,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property(
            "it tells a right layer from one whose positions begin at 0 again, and from one whose "
            "mask is aligned to the start",
            2,
            layers("offset", "start"),
        ),
        Property("it finds new tokens that come together and see each other", 1, layers("chunk")),
        Property(
            "it finds a mask that is aligned to the start where several tokens come behind a cache",
            1,
            layers("parts"),
        ),
        Property("it finds a cache that still holds the text before", 1, layers("kept")),
        Property("it finds a cache that forgets the oldest tokens", 1, layers("forgets")),
    ),
    mistakes=MISTAKES,
)
