"""Answers to same_with_cache (lesson 13, exercise 6), right and wrong, as students write them."""

import functools

import torch

from course_checks.exercises.cache_and_shared_heads.cached_layers import CachedLayer


# right
def two_runs(layer, x):
    """Token by token, then anew in parts of two and three."""
    expected = layer(x)
    for sizes in ([1] * len(x), [2, 3, *[1] * (len(x) - 5)]):
        cache = layer.new_cache()
        got = torch.cat([layer(part, cache) for part in x.split(sizes)])
        if (got - expected).abs().max() > 1e-3:
            return False
    return True


# right
def random_cuts(layer, x):
    cuts = [[*range(1, len(x))], [2, 4], [3], [1, 5]]
    runs = []
    for cut in cuts:
        cache, got = layer.new_cache(), []
        for part in torch.tensor_split(x, cut):
            got.append(layer(part, cache))
        runs.append(torch.cat(got))
    return all(torch.allclose(run, layer(x), atol=1e-3, rtol=1e-3) for run in runs)


# right
def rows(layer, x):
    """Row by row, and with what came before as a prompt of any length."""
    right, fine = layer(x), []
    for prompt in range(1, len(x)):
        cache = layer.new_cache()
        out = [layer(x[:prompt], cache), layer(x[prompt:], cache)]
        fine.append(torch.cat(out).sub(right).abs().lt(1e-4).all().item())
    return False not in fine


# wrong: a new cache for each part
# named: rejects_everything
def a_cache_for_each_part(layer, x):
    whole = layer(x)
    parts = [layer(part, layer.new_cache()) for part in x.split(2)]
    return torch.allclose(torch.cat(parts), whole, atol=1e-4)


# wrong: the whole text as one part
# named: nothing_in_the_cache
# points: 3
def in_one_part(layer, x):
    for _ in range(2):
        if not torch.allclose(layer(x, layer.new_cache()), layer(x), atol=1e-4):
            return False
    return True


# wrong: parts of two, once
# named: once
# points: 6
def in_twos_once(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(part, cache) for part in x.split(2)])
    return bool((out - layer(x)).abs().max() < 1e-4)


# wrong: one token at a time, once
# named: one_way_is_enough
def one_token_each(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(x[i : i + 1], cache) for i in range(len(x))])
    return torch.allclose(out, layer(x), atol=1e-4)


# wrong: compares the shapes
# named: accepts_everything
def shapes_only(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(part, cache) for part in x.split(2)])
    return out.shape == layer(x).shape


# wrong: True for a difference
# named: inverted
def turned_round(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        out = torch.cat([layer(part, cache) for part in x.split(size)])
        if not torch.allclose(out, whole, atol=1e-4):
            return True
    return False


# wrong: a tenth of the norm is let pass
# named: large_tolerance
def tenth_of_the_norm(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        parts = torch.cat([layer(x[i : i + size], cache) for i in range(0, len(x), size)])
        if not (parts - whole).norm() / whole.norm() < 0.1:
            return False
    return True


# wrong: a relative tolerance of a tenth
# named: large_tolerance
def relative_tenth(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        parts = torch.cat([layer(x[i : i + size], cache) for i in range(0, len(x), size)])
        if not torch.allclose(parts, whole, rtol=0.1):
            return False
    return True


# right
def a_thousandth(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        parts = torch.cat([layer(x[i : i + size], cache) for i in range(0, len(x), size)])
        if not torch.allclose(parts, whole, atol=1e-3):
            return False
    return True


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for fault in ("", "offset", "start", "chunk", "kept", "forgets", ""):
        yield CachedLayer(randn(3, 4, 4) / 2, fault), randn(7, 4)
