"""Lesson 13, exercise 6: a test that finds what is wrong with a cache."""

import torch

from course_lib.checks.cache_and_shared_heads.cached_layers import layers
from course_lib.checks.exercise import Exercise, Property


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
or: _test(same=_same_shape)
or: _test(same=lambda one, other: (one - other).mean().abs() < 1e-4)
    Your test says True to every layer. Does it compare the numbers, and those of the run with a
    cache with those of the run without? (In a mean of the differences, those above 0 and those
    below cancel: take the size of each first.)
rejects_everything: lambda layer, x: False
or: _without_cache
or: _new_cache_each_time
or: _one_cache_for_all
or: _test(same=torch.equal)
or: _test(same=lambda one, other: torch.allclose(one, other, rtol=0, atol=1e-08))
    Your test says False to every layer, also to a right one. Do all parts of a text go into one
    cache, one after the other? And what tolerance do you allow?
chunks_not_seen: _test(splits=((1,) * 7, (1,) * 7))
or: _test(same=lambda one, other: _near(one[-1], other[-1]))
    Your test misses new tokens that come together and see each other. Send parts of two or three
    tokens too, and compare every output: the last token of a part may see all of it.
one_way_is_enough: _test(splits=((1,) * 7,))
or: _test(splits=((1,) * 7, (2, 2, 2, 1), (3, 3, 1)), verdict=any)
    Your test misses two things: what only parts of several tokens show, and a new cache that is not
    new. Send the text in parts of one, two and three tokens, each time through a cache from
    new_cache. All of these runs must give the right outputs.
singles_behind_the_cache: _test(splits=((1,) * 7, (3, 1, 1, 1, 1), (7,)))
or: _test(splits=((1,) * 7, (2, 1, 1, 1, 1, 1)))
or: _test(splits=((1,) * 7, (7,)))
    Your test never sends several tokens where something is in the cache already. Their mask has to
    begin behind what is there, and a single token needs none: send parts of two or three to the
    end.
once: _test(splits=((1, 2, 3, 1),))
or: _test(splits=((2, 2, 2, 1),))
or: _test(splits=((3, 4),))
or: _test(splits=((4, 3),))
or: _test(splits=((3, 3, 1),))
    Your test sends the text through one cache, and never begins anew. A cache that is not empty at
    the start of the next text is noticed only there: call new_cache a second time.
nothing_in_the_cache: _test(splits=((7,), (7,)))
or: _test(splits=((7,),))
or: _test(same=lambda one, other: _near(one[0], other[0]))
    Your test looks only at tokens that have nothing in the cache before them: at a text that comes
    as one part, or at the first output alone. Cut the text into parts, and compare every output.
short_text: _test(splits=((1,) * 7, (2, 1), (1, 2)), tokens=3)
or: _test(splits=((1,) * 7, (2,), (1, 1)), tokens=2)
    Your test looks at the first tokens of the text alone. A cache that forgets shows that only when
    there is more to be kept: use all tokens of x.
inverted: lambda layer, x: not same_with_cache(layer, x)
    Your answers are the opposite: True is for a layer that gives the same with and without a cache.
"""


# --- wrong tests --------------------------------------------------------------------------------


def _near(one, other):
    return torch.allclose(one, other, atol=1e-4)


def _test(splits=((1,) * 7, (2, 2, 2, 1), (3, 3, 1), (7,)), same=_near, tokens=None, verdict=all):
    """A test that cuts the text in other places, or compares in another way."""

    def test(layer, x):
        x, found = x[:tokens], []
        at_once = layer(x)
        for sizes in splits:
            cache, parts, first = layer.new_cache(), [], 0
            for size in sizes:
                part = x[first : first + size]
                if len(part):
                    parts.append(layer(part, cache))
                first += size
            if first < len(x):
                parts.append(layer(x[first:], cache))
            found.append(bool(same(torch.cat(parts), at_once)))
        return verdict(found)

    return test


def _same_shape(one, other):
    return one.shape == other.shape


def _without_cache(layer, x):
    return _near(torch.cat([layer(part) for part in x.split(1)]), layer(x))


def _new_cache_each_time(layer, x):
    parts = [layer(part, layer.new_cache()) for part in x.split(1)]
    return _near(torch.cat(parts), layer(x))


def _one_cache_for_all(layer, x):
    cache, at_once = layer.new_cache(), layer(x)
    runs = [torch.cat([layer(part, cache) for part in x.split(size)]) for size in (1, 2, 3)]
    return all(_near(run, at_once) for run in runs)


EXERCISE = Exercise(
    lesson="13",
    number=6,
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
