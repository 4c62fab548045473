"""Lesson 05, exercise 2: a test for layers that look ahead."""

from torch import allclose, cat, randn_like

from course_checks.exercise import Exercise, Property
from course_checks.exercises.causal_masking.leak_cases import hidden, no_mask, rounding, some_tokens


def leaks(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        changed = x.clone()
        changed[j] = randn_like(x[j])
        if not allclose(layer(changed)[:j], before[:j], atol=1e-5):
            return True
    return False


MISTAKES = """
never_leaks: lambda layer, x: False
    Your test says False to every layer. Does it change a later token (not token 0, which has no
    earlier ones), does it look at the outputs before it, and is `return False` behind the loop, not
    in it?
always_leaks: lambda layer, x: True
    Your test says True to every layer, causal ones too. Which outputs do you compare: only those
    before the changed token must stay.
all_outputs: layer(changed)[:j], before[:j] -> layer(changed), before
    Among the outputs that you compare are the changed token's own and the later ones. A causal
    layer may move those: compare only the outputs before it.
own_output: [:j] => [: j + 1]
    You compare the outputs up to the changed token, its own included. A token may always move its
    own output: out[:j] ends before token j.
not_cloned: x.clone() -> x
    You change x itself, so the changes of the earlier rounds are still there and move the outputs
    that you compare. changed = x is no copy; x.clone() is.
backwards: range(1, len(x)) -> range(len(x)) && [:j] => [j + 1 :]
    You change a token and look at the outputs after it. A causal layer moves those, and should:
    look at the outputs before it.
last_token_only: range(1, len(x)) -> [len(x) - 1]
    The last token alone decides in your test: either you change no other, or each round overwrites
    the answer of the one before. A layer that looks ahead in another place passes that test: let
    each of the later tokens count.
neighbour_only: [:j] => [j - 1]
    You compare only the output just before the changed token. A layer may look further ahead than
    one token: compare all outputs before it.
all_must_move: if not allclose(layer(changed)[:j], before[:j], atol=1e-5): return True -> \
        if allclose(layer(changed)[:j], before[:j], atol=1e-5): return False && return False -> \
        return True
    Your test says True only if every change moves an earlier output. One that does is a leak.
missing_not: if not allclose -> if allclose
    Your test says True when two outputs agree, and that is the good case. A leak is where they
    differ: `not` allclose.
first_round_only: range(1, len(x)) -> [1]
    Your loop ends in its first round, since a return stands in it that is always reached, so one
    token is tried. In the loop, return True after a leak; `return False` belongs behind it, when
    all tokens have been tried.
last_token_spared: range(1, len(x)) -> range(1, len(x) - 1)
    Your loop stops too early: the last token is never changed, and a layer may look at just that
    one. range(1, len(x)) ends with it.
one_cut: _one_cut
    You change all tokens from the middle on at once. A leak within the first half goes unseen: try
    each token, or each place to cut.
cut_off: _cut_off
    You cut the later tokens off. That asks something else: a layer may go by how many tokens there
    are and look at none of the later ones, and among equal tokens a cut hides a leak. Keep all
    tokens, and change one.
zeroed: randn_like(x[j]) -> 0 * x[j] || -2 * x[j]
    You set the later token to zero, or multiply it by a number. A token that is zero already does
    not change by that: put random numbers in its place.
scaled: randn_like(x[j]) -> 2 * x[j]
    You multiply the later token by a number. A token of zeros does not change by that, and a
    LayerNorm takes the factor out again: put random numbers in its place.
constant_added: randn_like(x[j]) -> x[j] + 1
    You add the same number to all features of the later token. A LayerNorm takes that out again, so
    a leak behind it does not show: put random numbers in its place.
exchanged: _exchanged
    You exchange later tokens. Attention without a mask is a sum over all tokens, which does not
    depend on their order, so it passes: put new numbers in a token's place.
not_a_number: randn_like(x[j]) -> x[j] * torch.nan
    You put NaN (or infinity) in the later token's place and look for it in the outputs. A blocked
    token has weight 0, and 0 * NaN is NaN: a right causal head fails your test. Put ordinary random
    numbers there.
nan_passes: allclose(layer(changed)[:j], before[:j], atol=1e-5) -> \
        _small(layer(changed)[:j], before[:j])
    A layer that gives NaN passes your test, for a comparison with NaN is never true. Ask whether
    the difference is small, and call all else a leak: `not` allclose(...), or `not` difference <=
    1e-5.
averaged: [:j] => [:j].mean(dim=-1)
or: not allclose(layer(changed)[:j], before[:j], atol=1e-5) -> \
        abs(layer(changed)[:j].mean() - before[:j].mean()) > 1e-5
    You compare means (or sums) of the outputs. After a LayerNorm the mean of an output's features
    is 0 whatever happens: compare every number.
too_loose: atol=1e-5 -> atol=0.1 || atol=0.01 || randn_like(x[j]) -> x[j] + 1e-3 * randn_like(x[j])
    A small leak passes your test: you allow too large a difference, or change the token by too
    little. Rounding in float32 needs about 1e-5; put random numbers of size 1 in the token's place.
exact: allclose(layer(changed)[:j], before[:j], atol=1e-5) -> \
        (layer(changed)[:j] == before[:j]).all()
    You ask for exactly equal numbers. A right causal layer may round a little otherwise when a
    later token changes: allow about 1e-5.
default_tolerance: , atol=1e-5 ->
    Your tolerance is too small: near 0, allclose forgives only 1e-8 unless it is told more. Give it
    atol=1e-5.
inverted: return True -> return False && return False -> return True
    Your answers are turned round: True for layers that do not look ahead, False for those that do.
constant: randn_like(x[j]) -> 5
    You put the same number into all features of the later token. A LayerNorm makes zeros of it, and
    so it does of a token of zeros: put random numbers in its place.
negated: randn_like(x[j]) -> -x[j]
    You turn the sign of the later token round. A token of zeros does not change by that, and its
    squares never do: put random numbers in its place.
one_feature: randn_like(x[j]) -> _one_feature(x, j)
    You change one feature of the later token. A layer may look at another one: put random numbers
    in the place of them all.
some_features: [:j] => [:j, : x.shape[1] // 2] || [:j, 0]
    You compare some of the features only. A leak may show in the others, as in a layer with two
    heads of which one has no mask: compare all.
first_output_only: [:j] => [:1]
    You look at the output of token 0 only. Another token may look ahead while that one does not:
    compare all outputs before the changed token.
relative: atol=1e-5 -> rtol=0.1, atol=1e-5 || rtol=0.1
    You allow a share of the outputs, and where those are large a leak passes. Rounding in float32
    is about 1e-7 of a number: leave rtol as it is.
reversed: lambda layer, x: not allclose(layer(x.flip(0)).flip(0), layer(x), atol=1e-05)
    You turn the order of the tokens round and ask whether the outputs follow. That asks whether the
    layer knows an order at all: keep the order, and change one token.
"""


def _small(a, b):
    """Lets NaN pass: no comparison with it is true."""
    return not (a - b).abs().max() > 1e-5


def _one_cut(layer, x):
    cut = len(x) // 2
    changed = cat([x[:cut], randn_like(x[cut:])])
    return not allclose(layer(changed)[:cut], layer(x)[:cut], atol=1e-5)


def _cut_off(layer, x):
    before = layer(x)
    return not all(allclose(layer(x[:k]), before[:k], atol=1e-5) for k in range(1, len(x)))


def _exchanged(layer, x):
    before = layer(x)
    for j in range(1, len(x) - 1):
        order = list(range(len(x)))
        order[j], order[j + 1] = j + 1, j
        if not allclose(layer(x[order])[:j], before[:j], atol=1e-5):
            return True
    return False


def _one_feature(x, j):
    token = x[j].clone()
    token[0] += 0.5
    return token


EXERCISE = Exercise(
    reference=leaks,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells causal layers from layers that see all later tokens", 2, no_mask),
        Property("it also finds layers that see only some later tokens", 1, some_tokens),
        Property("it also finds leaks that are small, or that something hides", 1, hidden),
        Property("it is not misled by rounding", 1, rounding),
    ),
    mistakes=MISTAKES,
)
