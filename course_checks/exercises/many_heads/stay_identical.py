"""Lesson 03, exercise 5: a test that tells heads that stay clones for ever from those that part."""

from itertools import combinations

from torch import allclose, cat, randn_like

from course_checks.exercise import Exercise, Property
from course_checks.exercises.many_heads.head_cases import broken_by_heads, broken_by_w_out, sly


def stay_identical(heads, out_proj, x):
    _backward(heads, out_proj, x)
    return all(_weights_equal(heads[0], head) and _grads_equal(heads[0], head) for head in heads)


MISTAKES = """
accepts_everything: lambda heads, out_proj, x: True
    Your test says True to everything, even to heads that are different already.
rejects_everything: lambda heads, out_proj, x: False
    Your test says False to everything, even to equal heads with equal blocks of W_O. What do you
    compare, and with what tolerance?
heads_only: _weights_only || _same_outputs
    What you compare does not show W_O: your test says True to equal heads behind different blocks.
    The gradient reaches a head through its own block of W_O, so such heads get different gradients
    and part at the first step.
w_out_only: lambda heads, out_proj, x: _blocks_equal(out_proj, len(heads))
    You compare the blocks of W_O and not the heads. Different heads stay different behind equal
    blocks.
rows_of_w_out: lambda heads, out_proj, x: \
        _weights_only(heads, out_proj, x) and _blocks_equal(out_proj, len(heads), dim=0)
    You split W_O by its rows. nn.Linear stores (out_features, in_features), and the heads are what
    comes in: head i owns columns i * head_dim to (i + 1) * head_dim.
first_two_only: _first_two
or: lambda heads, out_proj, x: \
        _weights_equal(heads[0], heads[1]) and _blocks_equal(out_proj, len(heads))
    You compare the first two heads only. A third may differ from both.
in_pairs: _in_pairs
    You compare the heads in pairs, 0 with 1 and 2 with 3. The pairs may differ: compare each head
    with the first.
any_pair: _any_pair
    Your test says True as soon as two heads agree. All of them should.
one_projection_only: _one_projection("q_proj") || _one_projection("k_proj") || \
        _one_projection("v_proj")
    You look at one projection only. Two heads may share it and differ in another: compare all.
sum_as_loss: _sum_as_loss
    You compare no more of W_O than the sums of its columns, themselves or through a loss that is
    the sum of the outputs. Different blocks can then look alike: compare every number, or weight
    the outputs with random numbers.
gradients_only: _gradients_only
    You compare the gradients and not the weights. Heads behind a W_O of zeros all get a gradient of
    zero, however different they are.
cancelling_signs: lambda heads, out_proj, x: \
        _same_outputs(heads, out_proj, x) and _blocks_equal(out_proj, len(heads))
    Heads with other weights pass your test: when q_proj and k_proj both change their signs, the
    maps and the outputs stay the same. Compare all three projections themselves.
maps_compared: _maps_and_blocks
    You compare where the heads look, and not what they hand on: v_proj may differ.
one_of_both: lambda heads, out_proj, x: \
        _weights_only(heads, out_proj, x) or _blocks_equal(out_proj, len(heads))
    Your test is content with one of two: equal heads, or equal blocks of W_O. Both are needed:
    write and, where you wrote or.
too_loose: _within(0.1) || _within(0.05) || _within(0.01)
    You allow too large a difference: heads whose weights differ by 0.005 pass. Rounding needs about
    1e-5.
sums_compared: _sums
    You compare sums of the weights. Other weights can have the same sum: compare every number.
"""


def _backward(heads, out_proj, x, loss_of=lambda output: (output * randn_like(output)).sum()):
    loss_of(out_proj(cat([head(x)[0] for head in heads], dim=-1))).backward()


def _weights_equal(head, other):
    return all(_same(a, b) for a, b in zip(head.parameters(), other.parameters(), strict=True))


def _grads_equal(head, other):
    pairs = zip(head.parameters(), other.parameters(), strict=True)
    return all(_same(a.grad, b.grad) for a, b in pairs)


def _same(a, b):
    return allclose(a, b, atol=1e-5)


def _weights_only(heads, out_proj, x):
    return all(_weights_equal(heads[0], head) for head in heads)


def _blocks_equal(out_proj, count, dim=1):
    first, *others = out_proj.weight.chunk(count, dim=dim)
    return all(_same(first, other) for other in others)


def _same_outputs(heads, out_proj, x):
    return all(_same(heads[0](x)[0], head(x)[0]) for head in heads)


def _maps_and_blocks(heads, out_proj, x):
    same_maps = all(_same(heads[0](x)[1], head(x)[1]) for head in heads)
    return same_maps and _blocks_equal(out_proj, len(heads))


def _within(atol):
    """A version with another tolerance."""

    def version(heads, out_proj, x):
        owned = [[*head.parameters()] for head in heads]
        for parts, block in zip(owned, out_proj.weight.chunk(len(heads), dim=1), strict=True):
            parts.append(block)
        return all(
            allclose(a, b, atol=atol)
            for parts in owned
            for a, b in zip(owned[0], parts, strict=True)
        )

    return version


def _sums(heads, out_proj, x):
    sums = [sum(p.sum() for p in head.parameters()) for head in heads]
    blocks = [block.sum() for block in out_proj.weight.chunk(len(heads), dim=1)]
    return all(abs(part[0] - other) < 1e-4 for part in (sums, blocks) for other in part)


def _sum_as_loss(heads, out_proj, x):
    _backward(heads, out_proj, x, lambda output: output.sum())
    return all(_weights_equal(heads[0], head) and _grads_equal(heads[0], head) for head in heads)


def _gradients_only(heads, out_proj, x):
    _backward(heads, out_proj, x)
    return all(_grads_equal(heads[0], head) for head in heads)


def _in_pairs(heads, out_proj, x):
    _backward(heads, out_proj, x)
    pairs = list(zip(heads[::2], heads[1::2], strict=False))
    return all(_weights_equal(*pair) and _grads_equal(*pair) for pair in pairs)


def _any_pair(heads, out_proj, x):
    _backward(heads, out_proj, x)
    return any(_weights_equal(*pair) and _grads_equal(*pair) for pair in combinations(heads, 2))


def _first_two(heads, out_proj, x):
    _backward(heads, out_proj, x)
    return _weights_equal(heads[0], heads[1]) and _grads_equal(heads[0], heads[1])


def _one_projection(name):
    """A version that compares one projection of the heads, and the blocks of W_O."""

    def version(heads, out_proj, x):
        weights = [getattr(head, name).weight for head in heads]
        equal = all(_same(weights[0], weight) for weight in weights)
        return equal and _blocks_equal(out_proj, len(heads))

    return version


EXERCISE = Exercise(
    reference=stay_identical,
    returns={"its answer": "True or False"},
    kind="bool",
    optional=("x",),
    may_modify=("heads", "out_proj"),
    properties=(
        Property(
            "it tells clones with equal blocks of W_O from clones with different ones",
            2,
            broken_by_w_out,
        ),
        Property("it tells them from heads that are different already", 1, broken_by_heads),
        Property("no special loss and no special W_O misleads it", 1, sly),
    ),
    mistakes=MISTAKES,
)
