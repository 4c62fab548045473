"""Answers to same_with_cache (lesson 13, exercise 6), right and wrong, as students write them."""

import torch


# wrong: a new cache for each part
# named: rejects_everything
def a_cache_for_each_part(layer, x):
    whole = layer(x)
    parts = [layer(part, layer.new_cache()) for part in x.split(2)]
    return torch.allclose(torch.cat(parts), whole, atol=1e-4)


# wrong: says False
# named: rejects_everything
def always_false(layer, x):
    return False


# wrong: says True
# named: accepts_everything
def always_true(layer, x):
    return True


# wrong: compares bit by bit
# named: rejects_everything
def exact(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        if not torch.equal(torch.cat([layer(part, cache) for part in x.split(size)]), whole):
            return False
    return True


# wrong: the first four tokens
# named: short_text
def four_tokens(layer, x):
    x = x[:4]
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        out = torch.cat([layer(part, cache) for part in x.split(size)])
        if not torch.allclose(out, whole, atol=1e-4):
            return False
    return True


# wrong: the whole text as one part
# named: nothing_in_the_cache
def in_one_part(layer, x):
    for _ in range(2):
        if not torch.allclose(layer(x, layer.new_cache()), layer(x), atol=1e-4):
            return False
    return True


# wrong: parts of two, once
# named: once
def in_twos_once(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(part, cache) for part in x.split(2)])
    return bool((out - layer(x)).abs().max() < 1e-4)


# wrong: compares the last output of each run
# named: chunks_not_seen
def last_output_only(layer, x):
    whole = layer(x)
    for size in (1, 2, 3):
        cache = layer.new_cache()
        for part in x.split(size):
            out = layer(part, cache)
        if not torch.allclose(out[-1], whole[-1], atol=1e-4):
            return False
    return True


# wrong: the same cache for all runs
# named: rejects_everything
def one_cache_for_all(layer, x):
    whole, cache = layer(x), layer.new_cache()
    for size in (1, 2, 3):
        parts = [layer(part, cache) for part in x.split(size)]
        if not torch.allclose(torch.cat(parts), whole, atol=1e-4):
            return False
    return True


# wrong: one token at a time, once
# named: one_way_is_enough
def one_token_each(layer, x):
    cache = layer.new_cache()
    out = torch.cat([layer(x[i : i + 1], cache) for i in range(len(x))])
    return torch.allclose(out, layer(x), atol=1e-4)


# right
def right_all_sizes(layer, x):
    whole = layer(x)

    def run(size):
        cache = layer.new_cache()
        return torch.cat([layer(part, cache) for part in torch.split(x, size)])

    return all((run(size) - whole).abs().max().item() < 1e-4 for size in range(1, len(x) + 1))


# right
def right_growing_parts(layer, x):
    # Parts of 1, 2, 3, ... tokens, then the same from the other end, then once more.
    sizes = []
    while sum(sizes) < len(x):
        sizes.append(min(len(sizes) + 1, len(x) - sum(sizes)))
    whole = layer(x)
    differences = []
    for cut in (sizes, sizes[::-1], [1] * len(x)):
        cache = layer.new_cache()
        start = 0
        for size in cut:
            out = layer(x[start : start + size], cache)
            differences.append((out - whole[start : start + size]).abs().max())
            start += size
    return bool(torch.stack(differences).max() < 1e-4)


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


# wrong: one token at a time, twice
# named: chunks_not_seen
def twice_one_token(layer, x):
    whole = layer(x)
    for _ in range(2):
        cache = layer.new_cache()
        out = torch.cat([layer(row[None], cache) for row in x])
        if (out - whole).abs().max() > 1e-4:
            return False
    return True


# wrong: after the first part, single tokens only
# named: singles_behind_the_cache
def singles_behind_the_cache_too(layer, x):
    t = layer(x)
    for n in (1, 3, len(x)):
        c = layer.new_cache()
        o = torch.cat([layer(x[:n], c)] + [layer(p, c) for p in x[n:].split(1) if len(p)])
        if (o - t).abs().max() > 1e-4:
            return False
    return True


# wrong: compares by the mean of the differences
# named: accepts_everything
def accepts_everything_too(layer, x):
    t = layer(x)
    for n in (1, 2, 3, len(x)):
        c = layer.new_cache()
        o = torch.cat([layer(p, c) for p in x.split(n)])
        if (o - t).mean().abs() > 1e-4:
            return False
    return True


# wrong: the tolerance is 0.5
# named: large_tolerance
def half_is_near(layer, x):
    whole = layer(x)
    for size in (1, 2, 3, len(x)):
        cache = layer.new_cache()
        out = torch.cat([layer(part, cache) for part in x.split(size)])
        if not (torch.allclose(out, whole, atol=0.5)):
            return False
    return True


# wrong: one cache for all runs
# named: rejects_everything
def one_cache_for_all_runs(layer, x):
    cache = layer.new_cache()
    truth = layer(x)
    for size in (1, 2, 3, len(x)):
        out = torch.cat([layer(part, cache) for part in x.split(size)])
        if not torch.allclose(out, truth, atol=1e-4):
            return False
    return True


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
