"""Lesson 03, exercise 3: heads that differ, that train, and that a seed brings back."""

from functools import lru_cache as lru_cache

import torch
from torch import nn

from course_checks.exercise import Case, Exercise, Property
from course_checks.exercises.many_heads.heads_seen import conclude, observe, weights


class _Head(nn.Module):
    """The matrices of a SingleHead, which are all that is looked at here."""

    def __init__(self, d_model, head_dim, bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias)
        self.k_proj = nn.Linear(d_model, head_dim, bias)
        self.v_proj = nn.Linear(d_model, head_dim, bias)


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return nn.ModuleList([_Head(d_model, head_dim) for _ in range(num_heads)])


MISTAKES = """
colleagues_code: _seeding(lambda seed, i: 0, restored=False)
    You kept manual_seed(0) inside the head. Every head then starts from the same numbers, whatever
    seed is asked for, and the caller's generator is set back too.
clones: _seeding(lambda seed, i: seed)
    All your heads hold the same numbers: the generator is set back before each of them, or they are
    copies of one (deepcopy). Seed once, then draw all heads in turn.
clones_and_global: _seeding(lambda seed, i: seed, restored=False)
    You set the global generator to the seed, and all heads hold the same numbers: it is set back
    before each of them, or they are copies of one. And whatever the caller draws next begins from
    there too.
repeated_module: _repeated
    You put one head in the list several times ([head] * num_heads). That is one head with one set
    of parameters, and it does the same work again and again.
resets_the_global_generator: _seeding(_first, restored=False)
    Your heads are right, and torch.manual_seed sets the generator of the whole notebook back: the
    caller's data, dropout and next model are no longer what they were. Use a torch.Generator of
    your own, or torch.random.fork_rng.
leaves_it_random: _then_random
    Your heads are right, and the generator of the whole notebook is left in a random state
    (torch.seed() does that): a caller who has seeded it gets other numbers in every run. Put back
    the state that you found, or use torch.random.fork_rng.
ignores_the_seed: manual_seed(seed) -> manual_seed(0)
    You always begin from the same fixed seed, so a second run is no second opinion: the argument
    seed should decide.
unseeded: _seeding(lambda seed, i: None, restored=False)
    You draw from the global generator as it stands. The heads differ, and nobody can make the same
    ones again from the seed.
neighbouring_seeds: _seeding(lambda seed, i: seed + i)
    You give head i the seed seed + i. Then head 1 of this seed is head 0 of the next one, and two
    runs that should be independent share heads. Seed once, then draw all heads in turn.
plain_list: nn.ModuleList([_Head(d_model, head_dim) for _ in range(num_heads)]) -> \
        [_Head(d_model, head_dim) for _ in range(num_heads)]
    You return a plain list. A module does not look into lists for parameters, so the optimiser
    never hears of these heads, and .to(device) leaves them behind: use nn.ModuleList.
one_matrix: _one_matrix
    Query, key and value of your heads start from the same numbers: the generator is set back before
    each projection, or one weight is used for all.
back_to_the_start: _back_to_the_start
    Your heads are right, and you seed the global generator with torch.initial_seed() again. That is
    where the caller's numbers began, so the caller draws the same ones a second time: put back the
    state, torch.get_rng_state(), or use torch.random.fork_rng.
frozen: _changed(lambda heads: heads.requires_grad_(False))
    Your heads are right, and their parameters have requires_grad=False (or requires_grad_(False),
    or Parameter(..., False)). An optimiser leaves such numbers as they are.
shared_projection: _changed(_share_values)
    Your heads share a projection: it is one object in several heads, with one set of numbers. Each
    head needs three of its own.
multiples: _changed(_multiples)
    All your matrices are multiples of one, and point the same way. Draw every one of them anew.
moved_copies: _changed(_moved_copies)
    Your heads are copies of one, times a number or plus one. Draw every one of them anew.
with_bias: _Head(d_model, head_dim) -> _Head(d_model, head_dim, bias=True)
    Your heads have a bias: SingleHead's default is bias=True.
sizes_exchanged: lambda num_heads, d_model, head_dim, seed: \
        make_heads(num_heads, head_dim, d_model, seed)
    You hand d_model and head_dim over in the other order.
same_objects: lru_cache(make_heads)
    You keep what you made, and hand it out again when you are asked for the same seed. Who trains
    the one trains the other: make new heads with the same numbers.
fixed_number: _always(4) || _always(1) || _always(2) || _always(3) || _always(8)
    You make the same number of heads whatever num_heads is.
"""


def _seeding(seed_of, restored=True, kept=nn.ModuleList):
    """A version that sets the generator to ``seed_of(seed, i)`` before head i, if it is given."""

    def version(num_heads, d_model, head_dim, seed):
        with torch.random.fork_rng(devices=[], enabled=restored):
            heads = []
            for i in range(num_heads):
                start = seed_of(seed, i)
                if start is not None:
                    torch.default_generator.manual_seed(start)
                heads.append(_Head(d_model, head_dim))
        return kept(heads)

    return version


def _then_random(*sizes_and_seed):
    heads = make_heads(*sizes_and_seed)
    torch.default_generator.seed()
    return heads


def _repeated(num_heads, *rest):
    (head,) = make_heads(1, *rest)
    return nn.ModuleList([head] * num_heads)


def _one_matrix(num_heads, d_model, head_dim, seed):
    heads = make_heads(num_heads, d_model, head_dim, seed)
    for head in heads:
        for weight in weights(head)[1:]:
            weight.data.copy_(head.q_proj.weight.data)
    return heads


def _back_to_the_start(*sizes_and_seed):
    start = torch.initial_seed()
    heads = make_heads(*sizes_and_seed)
    torch.default_generator.manual_seed(start)
    return heads


def _changed(change):
    """A version that changes right heads afterwards."""

    def version(*sizes_and_seed):
        heads = make_heads(*sizes_and_seed)
        with torch.no_grad():
            change(heads)
        return heads

    return version


def _share_values(heads):
    for head in heads[1:]:
        head.v_proj = heads[0].v_proj


def _multiples(heads):
    for number, weight in enumerate(heads.parameters(), 1):
        weight.copy_(heads[0].q_proj.weight * number)


def _moved_copies(heads):
    for i, head in enumerate(heads):
        for own, first in zip(weights(head), weights(heads[0]), strict=True):
            own.copy_(first + 0.01 * i)


def _always(count):
    return lambda num_heads, *rest: make_heads(count, *rest)


def _first(seed, i):
    return seed if i == 0 else None


def _cases(generator, sizes=((2, 4, 2), (3, 5, 4), (4, 3, 3))):
    seeds = torch.randint(10_000, (len(sizes),), generator=generator, device="cpu").tolist()
    return [Case((*size, seed)) for size, seed in zip(sizes, seeds, strict=True)]


def _one_size(generator):
    return _cases(generator, sizes=((3, 5, 4),))


EXERCISE = Exercise(
    reference=make_heads,
    returns={
        part: "what is wrong, or nothing"
        for part in ("different", "registered", "seeded", "global")
    },
    kind="observed",
    observe=observe,
    conclude=conclude,
    properties=(
        Property("all heads differ, and so do the projections of each", 2, _cases, "different"),
        Property("a model that keeps them trains each head by itself", 1, _one_size, "registered"),
        Property(
            "the same seed makes the same heads, the next seed others", 1, _one_size, "seeded"
        ),
        Property("the global random generator is left to the caller", 1, _one_size, "global"),
    ),
    mistakes=MISTAKES,
)
