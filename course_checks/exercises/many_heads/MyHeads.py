"""Lesson 03, exercise 1: several heads as a class, the second step of the student's own."""

from copy import deepcopy
from functools import partial
from itertools import combinations

import torch
from torch import cat, float64, nn, stack

from course_checks.exercise import Exercise, Property, all_of
from course_checks.exercises.single_head.MyHead import MyHead
from course_checks.own_class import HUGE, cases_of_heads, concluded, observe_class


class MyHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        heads = [MyHead(d_model, d_model // num_heads) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        answers = [head(x) for head in self.heads]
        outputs, maps = [output for output, _ in answers], [weights for _, weights in answers]
        joined = cat(outputs, dim=-1)  # (batch, seq_len, d_model)
        return self.out_proj(joined), stack(maps, dim=1)


MISTAKES = """
plain_list: nn.ModuleList(heads) -> heads
    Your heads stand in a plain list. A module does not look into lists, so it has no parameters of
    theirs: the optimiser never hears of them. Use nn.ModuleList.
clones: nn.ModuleList(heads) -> _copies(heads)
    All your heads start from the same numbers: the generator is set back before each of them, or
    they are copies of one. Equal heads get equal gradients from equal blocks of out_proj, and look
    at the same things.
repeated_module: [MyHead(d_model, d_model // num_heads) for _ in range(num_heads)] -> \
        [MyHead(d_model, d_model // num_heads)] * num_heads
    You put one head in the list several times ([head] * num_heads). That is one head with one set
    of numbers, and it does the same work again and again.
no_out_proj: nn.Linear(d_model, d_model, bias=False) -> nn.Identity()
    Your module has no out_proj. Joined only, each number of the output hears one head; out_proj, an
    nn.Linear(d_model, d_model, bias=False), lets it hear them all.
heads_reversed: cat(outputs, dim=-1) -> cat(outputs[::-1], dim=-1)
    You put the last head first. out_proj meets head 0 first.
residual: self.out_proj(joined) -> x + self.out_proj(joined)
    You add x. A block does that, in lesson 08; the heads return what they found alone.
out_proj_unused: self.out_proj(joined) -> joined
    You return the heads as they are joined. They have to pass through out_proj.
heads_of_full_width: d_model // num_heads -> d_model
    Each of your heads makes d_model numbers. Side by side they should be d_model together: head_dim
    is d_model // num_heads.
features_shared_out: MyHead(d_model, -> MyHead(d_model // num_heads, && \
        head(x) for head in self.heads -> \
        head(part) for head, part in zip(self.heads, x.chunk(len(self.heads), dim=-1))
    Your heads get a part of the features each. Every head reads all d_model numbers of a token, and
    makes head_dim numbers of its own.
reshaped: cat(outputs, dim=-1) -> _reshaped(outputs) || _reshaped(outputs, dim=0)
    You stack the heads and reshape. The shape is right and the numbers are mixed: a reshape keeps
    their order in memory, so a row of yours holds several tokens of one head. Put the heads side by
    side: torch.cat(..., dim=-1).
added: cat(outputs, dim=-1) -> sum(outputs).repeat(1, 1, len(outputs))
or: cat(outputs, dim=-1) -> (sum(outputs) / len(outputs)).repeat(1, 1, len(outputs))
    You add up what the heads say, or average it. Put it side by side: torch.cat(..., dim=-1).
interleaved: cat(outputs, dim=-1) -> stack(outputs, dim=-1).flatten(-2)
    Your heads are interleaved: feature 0 of every head, then feature 1 of every head. Head 0 should
    come with all its features first: out_proj counts on whole blocks.
weights_averaged: stack(maps, dim=1) -> stack(maps).mean(dim=0) || \
        stack(maps, dim=1).mean(dim=1, keepdim=True)
    You average the weights over the heads. Then nobody can tell any more which head looked where:
    stack them, torch.stack(..., dim=1).
weights_of_one_head: stack(maps, dim=1) -> maps[-1] || maps[0]
    You return the weights of one head. Stack those of all.
heads_first: maps, dim=1 -> maps
    The heads stand before the batch in your weights. The batch stays in front: stack along
    dimension 1.
weights_as_tuple: stack(maps, dim=1) -> maps || tuple(maps)
    You return the weights as a list or a tuple of the heads'. Stack them into one tensor:
    torch.stack(..., dim=1).
with_bias: , bias=False ->
    Your out_proj has a bias: that is what nn.Linear does by itself. Here it has none: bias=False.
output_alone: , stack(maps, dim=1) ->
    Your forward returns the output alone. Return the weights of the heads beside it.
swapped: self.out_proj(joined), stack(maps, dim=1) -> stack(maps, dim=1), self.out_proj(joined)
    The two answers are in the other order: the output comes first, then the weights.
cut_off: self.out_proj(joined) -> self.out_proj(joined.detach())
    {CUT_OFF}
"""

PROJECTIONS = ("q_proj", "k_proj", "v_proj")


def _shapes(d_model, num_heads):
    of_heads = {
        f"heads.{i}.{name}.weight": (d_model // num_heads, d_model)
        for i in range(num_heads)
        for name in PROJECTIONS
    }
    return {**of_heads, "out_proj.weight": (d_model, d_model)}


def observe(build, d_model, num_heads, numbers, x, with_gradients):
    """What the module computes with these numbers in its parameters, and how its heads start."""
    return observe_class(
        build,
        (d_model, num_heads),
        _shapes(d_model, num_heads),
        numbers,
        x,
        with_gradients,
        beside=("MyHead", "SingleHead"),
        look=lambda module: {"start": _start(module, num_heads)},
    )


def _start(module, num_heads):
    """The first numbers of each projection, by head."""
    own = dict(module.named_parameters(remove_duplicate=False))
    return [
        [own[f"heads.{i}.{name}.weight"].detach().clone() for i in range(num_heads)]
        for name in PROJECTIONS
    ]


def conclude(seen, *args):
    """The same, with what is wrong with the first numbers."""
    alike = any(
        torch.equal(matrix, other)
        for matrices in seen["start"]
        for matrix, other in combinations(matrices, 2)
    )
    start = "before any training, heads of yours hold the same numbers." if alike else ""
    return concluded(seen) | {"start": start}


def _reshaped(outputs, dim=1):
    batch, length, head_dim = outputs[0].shape
    return stack(outputs, dim=dim).reshape(batch, length, len(outputs) * head_dim)


CUT_OFF = (
    "The numbers are right, but no gradient reaches the heads, so they can never learn: detach, "
    ".data and no_grad cut it off."
)

_cases = partial(cases_of_heads, _shapes)


def _copies(heads):
    return nn.ModuleList([deepcopy(heads[0]) for _ in heads])


EXERCISE = Exercise(
    reference=MyHeads,
    returns={
        "output": "(batch, seq_len, d_model)",
        "weights": "(batch, num_heads, seq_len, seq_len)",
        "use": "what is wrong with its use later, or nothing",
        "start": "what is wrong with the first numbers, or nothing",
        "gradients": "all gradients, in one row",
    },
    observe=observe,
    conclude=conclude,
    observed_with=("numbers", "x", "with_gradients"),
    properties=(
        Property(
            "the output is out_proj of all heads side by side, head 0 first",
            2,
            _cases((1, 3, 4, 2), (2, 5, 6, 3), (2, 4, 4, 1)),
            "output",
        ),
        Property(
            "the same holds when all sizes are equal, where shapes cannot tell a mistake, in "
            "float64, with scores of any size, and for one text after another",
            1,
            all_of(
                _cases((2, 2, 4, 2), (3, 3, 9, 3)),
                _cases((2, 3, 4, 2), dtype=float64),
                _cases((2, 4, 6, 3), stretch=30),
                _cases((2, 4, 6, 3), stretch=HUGE),
            ),
        ),
        Property(
            "the weights are those of each head, (batch, num_heads, seq_len, seq_len)",
            1,
            _cases((2, 3, 6, 3), (2, 3, 4, 2)),
            "weights",
        ),
        Property("each head starts with numbers of its own", 1, _cases((1, 2, 6, 3)), "start"),
        Property(
            "gradients reach all heads", 1, _cases((2, 3, 4, 2), with_gradients=True), "gradients"
        ),
    ),
    mistakes=MISTAKES,
)
