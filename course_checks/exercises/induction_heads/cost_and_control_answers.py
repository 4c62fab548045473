"""Answers to cost_and_control (lesson 10, exercise 3), right and wrong, as students write them."""

import functools
import itertools
from itertools import combinations, product

import numpy as np
import torch


# right
def ordered(measure, num_heads, chosen):
    """Sets as permutations, the answer as an array."""
    others = sorted(set(range(num_heads)) - set(chosen))
    left = [measure(removed) for removed in itertools.permutations(others, len(chosen))]
    return measure(()) - np.array([measure(chosen), np.mean(left)])


# right
def filtered(measure, num_heads, chosen):
    sets = itertools.combinations(range(num_heads), len(chosen))
    left = torch.tensor([measure(list(s)) for s in sets if not set(s) & set(chosen)])
    return [measure([]) - measure(list(chosen)[::-1]), (measure([]) - left).mean()]


# wrong: numbers the heads from 1
def from_one_2(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(1, num_heads + 1) if h not in chosen]
    losses = [whole - measure(s) for s in combinations(others, len(chosen))]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: takes a single set of others as control
# named: one_control
def one_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen][: len(chosen)]
    return whole - measure(chosen), whole - measure(tuple(others))


# wrong: pairs whatever is chosen
# points: 2
def pairs_only(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, 2)) or [tuple(others)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: sets with the same head twice
# points: 3
def with_product(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [s for s in product(others, repeat=len(chosen))]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: removes a number in place of a tuple
# says: removed is a tuple of heads
def one_number_at_a_time(measure, num_heads, chosen):
    return measure(()) - measure(chosen[0])


# wrong: absolute losses
# named: absolute_losses
# points: 5
def absolute(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return abs(whole - measure(chosen)), sum(map(abs, losses)) / len(losses)


# other inputs
def look_up(accuracies, removed):
    """A model's accuracy without some heads: another one for each set of them."""
    return accuracies[sum(2**head for head in set(removed))]


def other_inputs(generator):
    for num_heads, chosen in ((4, (0,)), (5, (2, 4)), (6, (0, 1, 2))):
        left = torch.rand(2**num_heads, generator=generator).tolist()
        yield functools.partial(look_up, left), num_heads, chosen
