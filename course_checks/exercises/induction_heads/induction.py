"""Lesson 10, exercise 2: how much weight a head puts on what followed an earlier equal token."""

import torch
from torch import tensor, zeros_like

from course_checks.exercise import Case, Exercise, Property
from course_checks.score_cases import causal, draw_weights
from course_lib.study.heads import induction_targets, target_score


def induction(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]  # (batch, query, token)
    targets = zeros_like(equal)  # (batch, query, key)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]  # one place after an earlier equal token
    on_targets = (weights * targets[:, None]).sum(dim=-1)  # (batch, num_heads, query)
    return on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


MISTAKES = """
keys_as_queries: (weights * targets -> (weights.mT * targets
    You read the weights by columns. Row i holds the weights of query i.
on_the_equal_token: targets[:, :, 1:] = equal.tril(-1)[:, :, :-1] -> targets = equal.tril(-1)
    You look at the earlier equal token. In A B C A it is what came after it: B, one key further on.
token_before: targets[:, :, 1:] = equal.tril(-1)[:, :, :-1] -> \
        targets[:, :, :-1] = equal.tril(-1)[:, :, 1:]
    You look at the token before the earlier equal one. Look at what came after it: one key on.
counts_hits: on_targets = (weights * targets[:, None]).sum(dim=-1) -> on_targets = \
        (weights == weights.amax(-1, keepdim=True)) & targets[:, None]; on_targets = \
        on_targets.any(dim=-1).to(weights.dtype)
    You count how often the largest weight lies on a target. Asked is how much weight lies there.
own_position_counts: tril(-1) -> tril() || equal.tril(-1) -> equal
    You count the query as an earlier token equal to itself. Earlier is strictly earlier: tril(-1).
later_ones_too: equal.tril(-1) -> (equal.tril(-1) | equal.triu(1))
    You count equal tokens that come later as well. Only an earlier one counts: tril(-1).
all_queries: on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum() -> \
        on_targets.mean(dim=2).mean(dim=0)
    You divide by the number of all queries. Many have nothing to look up: count the queries with a
    target.
queries_that_look_there: targets.any(dim=-1).sum() -> (on_targets > 0).sum(dim=(0, 2))
    You leave out the queries whose targets get a weight of 0. They look elsewhere, and count:
    targets.any(dim=-1).
all_targets: targets.any(dim=-1).sum() -> targets.sum()
    You divide by the number of targets. Divide by the number of queries that have one.
text_first: on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum() -> \
        (on_targets.sum(dim=-1) / targets.any(dim=-1).sum(dim=-1)[:, None]).mean(dim=0)
or: on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum() -> \
        (on_targets.sum(dim=-1) / targets.any(dim=-1).sum(dim=-1)[:, None]).nanmean(dim=0)
or: on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum() -> \
        (on_targets.sum(dim=-1) / targets.any(dim=-1).sum(dim=-1)[:, None]).nan_to_num().mean(dim=0)
    You take the mean of each text first. Then a text with few targets counts as much as one with
    many, and one without any makes the mean NaN, or counts as 0. Add up over all texts first.
own_place_left_out: equal.tril(-1)[:, :, :-1] -> equal[:, :, :-1] && targets[:, None] -> \
        targets.tril(-1)[:, None] && targets.any -> targets.tril(-1).any
    You leave out the query's own place. In A A the second A is a target: tril(-1) belongs to the
    table of equal tokens, before you move it.
rolled_first: targets[:, :, 1:] = equal.tril(-1)[:, :, :-1] -> \
        targets = equal.roll(1, dims=2).tril()
    Your first key is a target: roll carries the last column round. Take tril(-1) before you move
    the table.
last_one_only: equal.tril(-1) -> \
                (equal.tril(-1) & (equal.tril(-1).flip(2).cumsum(dim=2).flip(2) == 1))
or: equal.tril(-1) -> (equal.tril(-1) & (equal.tril(-1).cumsum(dim=2) == 1))
    You look behind one earlier equal token only. There may be several: add their weights.
mean_of_targets: on_targets.sum(dim=(0, 2)) -> \
        (on_targets / targets.sum(dim=-1).clamp(min=1)[:, None]).sum(dim=(0, 2))
or: targets[:, None]).sum(dim=-1) -> targets[:, None]).amax(dim=-1)
    Where a query has several targets you take the mean or the largest of their weights: add them.
first_text_only: lambda weights, tokens: induction(weights[:1], tokens[:1])
    You look at the first text only. Take the mean over the queries of all texts.
first_texts_targets: targets[:, None] -> targets[:1, None] && targets.any -> \
        targets[:1].expand_as(equal).any
    You take the targets of the first text for all of them. Each repeats itself elsewhere.
"""


def _texts(*patterns, num_heads=2, masked=True):
    """A batch of texts with equal tokens where the digits of their patterns are equal."""

    def make(generator):
        names = torch.randperm(48, generator=generator, device="cpu")
        tokens = names[tensor([[int(digit) for digit in pattern] for pattern in patterns])]
        batch, length = tokens.shape
        mask = causal(length) if masked else None
        weights = draw_weights(generator, batch, num_heads, length, length, mask=mask)
        return [Case((weights, tokens))]

    return make


def _looks_elsewhere(generator):
    """Some weights are 0: a query that has a target counts, wherever the head looks instead."""
    (case,) = _texts("012031", "012345", "001234")(generator)
    case.args[0][0, 0, 3] = torch.eye(6, device="cpu")[0]  # not at its target, key 1
    return [case]


def _repeated(generator):
    small, large = _texts("0120"), _texts("01234012", "01230123", num_heads=3)
    return small(generator) + large(generator)


EXERCISE = Exercise(
    reference=induction,
    returns={"score": "(num_heads,)"},
    library=(target_score, induction_targets),
    properties=(
        Property("a text that repeats itself: A B C A looks at B", 2, _repeated),
        Property(
            "where equal tokens stand earlier more than once, the weights on all that followed add "
            "up",
            1,
            _texts("01020103", "00012100", "01010101", num_heads=4),
        ),
        Property(
            "queries without an earlier equal token do not count, nor texts that have none",
            1,
            _looks_elsewhere,
        ),
        Property("heads that may look ahead", 1, _texts("01201", "01020", "01123", masked=False)),
    ),
    mistakes=MISTAKES,
)
