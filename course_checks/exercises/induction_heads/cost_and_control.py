"""Lesson 10, exercise 3: what an ablation costs, beside what any other of its size would cost."""

from itertools import combinations

import torch

from course_checks.exercise import Case, Exercise, Property


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [head for head in range(num_heads) if head not in chosen]
    losses = [whole - measure(removed) for removed in combinations(others, len(chosen))]
    return whole - measure(tuple(chosen)), sum(losses) / len(losses)


MISTAKES = """
chosen_in_controls: combinations(others, -> combinations(range(num_heads),
or: combinations(others, len(chosen)) -> (some for some in combinations(range(num_heads), \
        len(chosen)) if set(some) != set(chosen))
    Your controls remove chosen heads too. Draw them from the heads that were not chosen.
one_at_a_time: combinations(others, len(chosen)) -> [(head,) for head in others]
    Your controls remove one head each. Two less may hurt more: remove as many as are chosen.
all_others_at_once: combinations(others, len(chosen)) -> [tuple(others)]
    Your control removes all other heads at once. Remove as many as are chosen, in every possible
    way, and take the mean.
one_control: combinations(others, len(chosen)) -> [tuple(others[: len(chosen)])]
or: combinations(others, len(chosen)) -> \
        [others[i : i + len(chosen)] for i in range(len(others) - len(chosen) + 1)] && \
        measure(removed) -> measure(tuple(removed))
    You try too few controls. All sets of as many other heads count: take the mean over them.
on_top_of_the_chosen: measure(removed) -> measure((*chosen, *removed))
    Your controls remove the chosen heads as well. They should stay in these.
accuracies: whole - measure(removed) -> measure(removed) && \
        return whole - measure(tuple(chosen)) -> return measure(tuple(chosen))
or: whole - measure(removed) -> measure(removed)
    You return an accuracy. A cost is what is lost: measure(()), with nothing removed, minus what is
    left.
swapped: whole - measure(tuple(chosen)), sum(losses) / len(losses) -> \
        sum(losses) / len(losses), whole - measure(tuple(chosen))
    You return the control first. The order is (cost, control).
from_1: whole = measure(()) -> whole = 1.0
    You take the whole model's accuracy for 1. measure(()) says what it is.
single_heads: combinations(others, len(chosen)) -> [(head,) for head in others] && \
        whole - measure(tuple(chosen)) -> \
        sum(whole - measure((head,)) for head in chosen) / len(chosen)
or: whole - measure(tuple(chosen)) -> sum(whole - measure((head,)) for head in chosen)
or: whole - measure(tuple(chosen)) -> sum(whole - measure((head,)) for head in chosen) && \
        whole - measure(removed) -> sum(whole - measure((head,)) for head in removed)
    You remove the heads one by one. Each may stand in for another: remove as many at once as are
    chosen.
sign: whole - measure(removed) -> measure(removed) - whole && whole - measure(tuple(chosen)) -> \
        measure(tuple(chosen)) - whole
    Your costs have the wrong sign: they are above 0 where removing hurts.
for_each_head: whole - measure(removed) -> (whole - measure(removed)) / len(chosen) && \
        whole - measure(tuple(chosen)) -> (whole - measure(tuple(chosen))) / len(chosen)
    You divide by the number of heads removed. Return the two numbers as they are.
largest_control: sum(losses) / len(losses) -> max(losses) || min(losses)
    You take the control that costs most, or least. Take the mean over all of them.
absolute_losses: whole - measure(removed) -> abs(whole - measure(removed)) && \
        whole - measure(tuple(chosen)) -> abs(whole - measure(tuple(chosen)))
    You drop the sign of your losses. Where removing heads helps, the loss is below 0.
shares_of_the_whole: whole - measure(removed) -> (whole - measure(removed)) / whole && \
        whole - measure(tuple(chosen)) -> (whole - measure(tuple(chosen))) / whole
    You divide your losses by the accuracy of the whole model. Return what is lost, as it is.
cost_less_control: whole - measure(tuple(chosen)), -> \
        whole - measure(tuple(chosen)) - sum(losses) / len(losses),
    You have subtracted the control from the cost. Return the two numbers as they are.
control_not_divided: / len(losses) ->
    You add up the losses of the controls. Divide by their number.
"""


class _Model:
    """Its accuracy without some heads: another number for every set of them."""

    def __init__(self, generator, num_heads, whole):
        self.accuracies = 0.2 + 0.6 * torch.rand(2**num_heads, generator=generator)
        self.accuracies[0] = whole
        self.num_heads = num_heads

    def __call__(self, removed):
        if isinstance(removed, int):
            raise TypeError("removed is a tuple of heads, such as (2,) or ()")
        removed = {int(head) for head in removed}
        if not removed <= set(range(self.num_heads)):
            raise ValueError(f"there are {self.num_heads} heads, from 0; got {sorted(removed)}")
        return float(self.accuracies[sum(2**head for head in removed)])


def _models(*settings, whole=0.95):
    """(num_heads, chosen) each."""
    return lambda generator: [
        Case(
            (_Model(generator, num_heads, whole), num_heads, chosen),
            label=f"a model of {num_heads} heads and chosen = {chosen}",
        )
        for num_heads, chosen in settings
    ]


EXERCISE = Exercise(
    reference=cost_and_control,
    returns={"numbers": "two of them, (cost, control)"},
    kind="numbers",
    properties=(
        Property(
            "one head, beside each of the others",
            2,
            _models((3, (1,)), (5, (4,)), (6, (0,)), (7, (2,))),
        ),
        Property(
            "several heads at once, beside all sets of as many others",
            2,
            _models((5, (0, 3)), (6, (5, 2)), (7, (6, 1, 2))),
        ),
        Property(
            "a single control; and where removing heads helps, numbers below 0",
            1,
            _models((4, (1, 2)), (2, (1,)), (6, (0, 4)), whole=0.1),
        ),
    ),
    mistakes=MISTAKES,
)
