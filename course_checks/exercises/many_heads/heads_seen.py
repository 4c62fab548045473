"""What is wrong with some heads: their form, what they share, how a seed brings them back."""

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import allclose, nn

from course_checks.judge.answers import kind_of

PROJECTIONS = ("q_proj", "k_proj", "v_proj")


def observe(function, num_heads, d_model, head_dim, seed):
    """The heads of three calls, what trains them, and the states of the random generator."""
    sizes = num_heads, d_model, head_dim
    heads, left_first = function(*sizes, seed), torch.get_rng_state()
    start = _seeded_caller(seed + 1234)  # later, elsewhere in the notebook
    again, left_then = function(*sizes, seed), torch.get_rng_state()
    _seeded_caller(seed + 1234)
    other, left_other = function(*sizes, seed + 1), torch.get_rng_state()
    _seeded_caller(seed + 1234)
    function(*sizes, seed)
    left_again = torch.get_rng_state()
    if heads is None:
        return None
    for made in (heads, again, other):
        if sentence := _misfit(made, *sizes):
            return sentence
    model = nn.Module()
    model.heads = heads
    parameters = list(model.parameters())
    first, second = ({id(own) for head in made for own in weights(head)} for made in (heads, again))
    return {
        "numbers": [_numbers_of(made) for made in (heads, again, other)],
        "trained": sum(parameter.numel() for parameter in parameters),
        "frozen": sum(p.numel() for p in parameters if not p.requires_grad),
        "are_the_same": bool(first & second),
        "states": [start, left_first, left_then, left_again, left_other],
    }


def conclude(seen, num_heads, d_model, head_dim, seed):
    """What is wrong with the heads, by part."""
    heads, again, other = seen["numbers"]
    wanted = num_heads * 3 * d_model * head_dim
    return {
        "different": _different(heads),
        "registered": _registered(seen["trained"], seen["frozen"], wanted),
        "seeded": _seeded(heads, again, other, seen["are_the_same"]),
        "global": _left(*seen["states"]),
    }


def _seeded_caller(seed):
    """A caller who seeds, and draws some numbers before the heads; returns where they began."""
    torch.default_generator.manual_seed(seed)
    start = torch.get_rng_state()
    torch.rand(7)
    return start


def _misfit(heads, num_heads, d_model, head_dim):
    if not isinstance(heads, (nn.Module, Sequence)) or not hasattr(heads, "__len__"):
        return (
            f"Your function should return an nn.ModuleList of heads. It returned {kind_of(heads)}."
        )
    if len(heads) != num_heads:
        return f"Your function should return {num_heads} heads here. It returned {len(heads)}."
    for head in heads:
        if not all(isinstance(getattr(head, name, None), nn.Linear) for name in PROJECTIONS):
            return f"Each head should be a SingleHead. Yours is {kind_of(head)}."
        shape = tuple(head.q_proj.weight.shape)
        if shape != (head_dim, d_model):
            return (
                f"q_proj.weight of each head should have shape {(head_dim, d_model)}, "
                f"(head_dim, d_model). Yours has {shape}."
            )
        if head.q_proj.bias is not None:
            return "These heads should have no bias: SingleHead(..., bias=False)."
    return ""


def weights(head):
    return [getattr(head, name).weight for name in PROJECTIONS]


def _numbers_of(heads):
    """Three matrices for each head."""
    return [[weight.detach().clone() for weight in weights(head)] for head in heads]


ALIKE = "are the same but for a factor, or a number that is added"


def _different(heads):
    for same, words in ((allclose, "hold the same numbers"), (_alike, ALIKE)):
        for head in heads:
            if any(same(a, b) for a, b in combinations(head, 2)):
                return f"two projections of one head {words}."
        pairs = list(combinations(heads, 2))
        alike = [pair for pair in pairs if _have_in_common(*pair, same)]
        if alike:
            count = "all heads" if len(alike) == len(pairs) else "some heads"
            return f"{count} {words}."
    return ""


def _have_in_common(head, other, same):
    return any(same(a, b) for a, b in zip(head, other, strict=True))


def _alike(a, b):
    """Whether one matrix is the other times a number, plus a number."""
    a, b = (part.detach().flatten() - part.detach().mean() for part in (a, b))
    return bool((a @ b).abs() >= (1 - 1e-5) * a.norm() * b.norm())


def _are_equal(head, other):
    return all(allclose(a, b) for a, b in zip(head, other, strict=True))


def _registered(trained, frozen, wanted):
    if trained != wanted:
        return f"a model that keeps your heads has {trained} numbers to train instead of {wanted}."
    if frozen:
        return f"{frozen} of the {wanted} numbers have requires_grad=False, and are never trained."
    return ""


def _seeded(heads, again, other, are_the_same):
    if not all(map(_are_equal, heads, again)):
        return "a second call with the same seed makes other heads."
    if are_the_same:
        return "a second call with the same seed hands out the very same heads."
    if all(map(_are_equal, heads, other)):
        return "another seed makes the same heads."
    if any(_have_in_common(head, later, _alike) for head in heads for later in other):
        return "the next seed (seed + 1) makes one of the heads that this seed made."
    return ""


def _left(start, first, then, again, other):
    if torch.equal(first, then):
        return "the global random generator is left in the same state, whatever state it was in."
    if not torch.equal(then, again):
        return "the global random generator is left in a state that nobody can repeat."
    if torch.equal(then, start):
        return "the global random generator is set back to where the caller's seed began."
    if not torch.equal(then, other):
        return "the state in which the global random generator is left depends on seed."
    return ""
