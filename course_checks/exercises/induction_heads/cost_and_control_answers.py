"""Answers to cost_and_control (lesson 10, exercise 3), right and wrong, as students write them."""

import statistics
from itertools import combinations, permutations, product
from statistics import fmean, median

import numpy as np


# wrong: absolute losses
# named: absolute_losses
def absolute(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return abs(whole - measure(chosen)), sum(map(abs, losses)) / len(losses)


# wrong: accuracies instead of losses
# named: accuracies
def accuracies(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    left = [measure(s) for s in combinations(others, len(chosen))]
    return measure(chosen), sum(left) / len(left)


# wrong: controls beside the chosen
# named: on_top_of_the_chosen
def added_to_chosen(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [chosen + s for s in combinations(others, len(chosen))]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: controls from all heads
# named: chosen_in_controls
def all_heads(measure, num_heads, chosen):
    whole = measure(())
    sets = list(combinations(range(num_heads), len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: one control of all others
# named: all_others_at_once
def all_others(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [tuple(others)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the control also takes sets that hold chosen heads
# named: chosen_in_controls
def all_sets(measure, num_heads, chosen):
    whole = measure(())
    sets = [s for s in combinations(range(num_heads), len(chosen)) if s != tuple(sorted(chosen))]
    return whole - measure(chosen), sum(whole - measure(s) for s in sets) / len(sets)


# wrong: the mildest control
# named: largest_control
def best_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), min(losses)


# right
def bit_masks(measure, num_heads, chosen):
    whole, control, count = measure(()), 0.0, 0
    for bits in range(2**num_heads):
        heads = tuple(i for i in range(num_heads) if bits >> i & 1)
        if len(heads) == len(chosen) and not set(heads) & set(chosen):
            control += whole - measure(heads)
            count += 1
    return whole - measure(chosen), control / count


# right
def bit_patterns(measure, num_heads, chosen):
    whole, losses = measure(()), []
    for bits in range(2**num_heads):
        some = tuple(h for h in range(num_heads) if bits >> h & 1)
        if len(some) == len(chosen) and not set(some) & set(chosen):
            losses.append(whole - measure(some))
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the control draws from all heads, chosen ones included
# named: chosen_in_controls
def chosen_in_control(measure, num_heads, chosen):
    whole = measure(())
    losses = [whole - measure(s) for s in combinations(range(num_heads), len(chosen))]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: subtracts the control from the cost
# named: cost_less_control
def difference(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen) - sum(losses) / len(losses), sum(losses) / len(losses)


# wrong: the first control only
# named: one_control
def first_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [tuple(others[: len(chosen)])]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the whole model counted as 1
# named: from_1
def from_one(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = 1.0
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: numbers the heads from 1
def from_one_2(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(1, num_heads + 1) if h not in chosen]
    losses = [whole - measure(s) for s in combinations(others, len(chosen))]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: heads numbered from 1
def heads_from_one(measure, num_heads, chosen):
    others = [head for head in range(1, num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the last control only
def last_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [tuple(others[-len(chosen) :])]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the median of the controls
def median_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), median(losses)


# right
def median_free(measure, num_heads, chosen):
    from statistics import fmean

    base = measure(())
    rest = sorted(set(range(num_heads)) - set(chosen))
    return base - measure(tuple(chosen)), base - fmean(
        map(measure, combinations(rest, len(chosen)))
    )


# wrong: leaves out the chosen set only
# named: chosen_in_controls
def not_the_chosen_set(measure, num_heads, chosen):
    whole = measure(())
    sets = [s for s in combinations(range(num_heads), len(chosen)) if set(s) != set(chosen)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# right
def numpy_mean(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    losses = [whole - measure(r) for r in combinations(others, len(chosen))]
    return float(whole - measure(chosen)), float(np.mean(losses))


# wrong: removes the chosen heads one by one and adds up the losses
# named: single_heads
def one_at_a_time(measure, num_heads, chosen):
    whole = measure(())
    cost = sum(whole - measure((h,)) for h in chosen)
    others = [h for h in range(num_heads) if h not in chosen]
    losses = [whole - measure(s) for s in combinations(others, len(chosen))]
    return cost, sum(losses) / len(losses)


# wrong: the cost is the sum of removing the chosen heads one at a time, not all at once
# named: single_heads
def one_by_one(measure, num_heads, chosen):
    whole = measure(())
    cost = sum(whole - measure((h,)) for h in chosen)
    sets = list(combinations([h for h in range(num_heads) if h not in chosen], len(chosen)))
    return cost, sum(whole - measure(s) for s in sets) / len(sets)


# wrong: takes a single set of others as control
# named: one_control
def one_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen][: len(chosen)]
    return whole - measure(chosen), whole - measure(tuple(others))


# wrong: pairs whatever is chosen
def pairs_only(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, 2)) or [tuple(others)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# right
def with_permutations(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(permutations(others, len(chosen)))
    return whole - measure(chosen), sum(whole - measure(s) for s in sets) / len(sets)


# right
def permutations_2(measure, num_heads, chosen):
    rest = sorted(set(range(num_heads)).difference(chosen))
    left = [measure(some) for some in permutations(rest, len(chosen))]
    return measure(()) - measure(chosen), measure(()) - statistics.fmean(left)


# wrong: sets with the same head twice
def with_product(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [s for s in product(others, repeat=len(chosen))]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: losses as a share of the whole
# named: shares_of_the_whole
def relative(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return (whole - measure(chosen)) / whole, sum(losses) / len(losses) / whole


# wrong: accuracy left minus accuracy of the whole: the signs are turned
# named: sign
def sign(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    sets = list(combinations(others, len(chosen)))
    return measure(chosen) - whole, sum(measure(s) - whole for s in sets) / len(sets)


# wrong: what is left minus the whole, so losses are negative
# named: sign
def sign_2(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    sets = list(combinations(others, len(chosen)))
    return measure(tuple(chosen)) - whole, sum(measure(s) - whole for s in sets) / len(sets)


# wrong: what is left minus the whole
# named: sign
def signs(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return measure(chosen) - whole, -sum(losses) / len(losses)


# wrong: controls of one head each
# named: one_at_a_time
def single_controls(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [(head,) for head in others]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the control removes one other head at a time, however many were chosen
# named: one_at_a_time
def single_others(measure, num_heads, chosen):
    whole = measure(())
    losses = [whole - measure((h,)) for h in range(num_heads) if h not in chosen]
    return whole - measure(chosen), sum(losses) / len(losses)


# wrong: the control removes single other heads, not as many as were chosen
# named: one_at_a_time
def singles(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    return whole - measure(chosen), whole - sum(measure((h,)) for h in others) / len(others)


# right
def statistics_mean(measure, num_heads, chosen):
    others = sorted(set(range(num_heads)) - set(chosen))
    kept = fmean(measure(removed) for removed in combinations(others, len(chosen)))
    return measure(()) - measure(chosen), measure(()) - kept


# wrong: the sum of the controls
# named: control_not_divided
def sum_of_controls(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses)


# wrong: sums of single heads
# named: single_heads
def summed_single(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return sum(whole - measure((h,)) for h in chosen), sum(losses) / len(losses)


# wrong: control first
# named: swapped
def swapped(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return sum(losses) / len(losses), whole - measure(chosen)


# wrong: the worst control
# named: largest_control
def worst_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), max(losses)


# wrong: only neighbouring sets of others
# named: one_control
def neighbours_only_too(measure, num_heads, chosen):
    w = measure(())
    o = [h for h in range(num_heads) if h not in chosen]
    k = len(chosen)
    sets = [tuple(o[i : i + k]) for i in range(len(o) - k + 1)]
    return w - measure(chosen), sum(w - measure(s) for s in sets) / len(sets)


# wrong: costs of single heads are added up, in both numbers
# named: single_heads
def single_costs_summed(measure, num_heads, chosen):
    whole = measure(())
    loss = [whole - measure((head,)) for head in range(num_heads)]
    cost = sum(loss[head] for head in chosen)
    rest = [loss[head] for head in range(num_heads) if head not in chosen]
    return cost, len(chosen) * sum(rest) / len(rest)
