"""Answers to matched_control (lesson 16, exercise 7), right and wrong, as students write them."""

import torch

from course_lib.study.ablation import others_like


# right
def by_next(chosen, order):
    """One walk through the lot for each chosen head."""
    taken = set(chosen)
    control = []
    for layer, _ in chosen:
        other = next((head for head in order if head[0] == layer and head not in taken), None)
        if other is not None:
            control.append(other)
            taken.add(other)
    return control


# right
def by_queues(chosen, order):
    """The free heads of each layer stand in a queue."""
    queues = {}
    for head in order:
        if head not in chosen:
            queues.setdefault(head[0], []).append(head)
    return [queues[layer].pop(0) for layer, _ in chosen if queues.get(layer)]


# wrong: the first heads that are not chosen, of any layer
# named: any_layer
def any_layer(chosen, order):
    free = [head for head in order if head not in chosen]
    return free[: len(chosen)]


# wrong: calls the library's own
# named: forbidden
def library(chosen, order):
    return others_like(chosen, [head for head in order if head not in chosen], draw=0)


# wrong: the head numbers alone
# named: numbers_alone
# says: as pairs (layer, head)
def numbers_of_heads(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and other[1] not in control:
                control.append(other[1])
                break
    return control


# wrong: a dictionary by layer keeps one head for each
# named: one_for_each_layer
# points: 4
def one_per_layer(chosen, order):
    control = {}
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and layer not in control:
                control[layer] = other
    return list(control.values())


# wrong: takes the heads out of the caller's lot
# named: changes_input
def removes(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen:
                control.append(other)
                order.remove(other)
                break
    return control


# wrong: None where there is no partner
# named: none_in_the_list
# points: 5
def with_none(chosen, order):
    control = []
    for layer, _ in chosen:
        control.append(
            next((h for h in order if h[0] == layer and h not in chosen and h not in control), None)
        )
    return control


# other inputs
def other_inputs(generator):
    for num_layers, num_heads, count in ((2, 3, 2), (3, 3, 4), (2, 5, 4), (4, 2, 5)):
        heads = [(layer, head) for layer in range(num_layers) for head in range(num_heads)]
        lots = [torch.randperm(len(heads), generator=generator).tolist() for _ in range(2)]
        chosen, order = ([heads[i] for i in lot] for lot in lots)
        yield chosen[:count], order
