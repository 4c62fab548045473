"""Answers to matched_control (lesson 16, exercise 7), right and wrong, as students write them."""

import random

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


# wrong: a dictionary from chosen head to partner
# named: dictionary
def a_dictionary(chosen, order):
    control = {}
    for own in chosen:
        for other in order:
            if other[0] == own[0] and other not in chosen and other not in control.values():
                control[own] = other
                break
    return control


# wrong: a set
# named: set
def a_set(chosen, order):
    control = set()
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        if free:
            control.add(free[0])
    return control


# wrong: the first heads that are not chosen, of any layer
# named: any_layer
def any_layer(chosen, order):
    free = [head for head in order if head not in chosen]
    return free[: len(chosen)]


# wrong: stops at the first head without a partner
# named: stops_where_none_is_left
def breaks(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        if not free:
            break
        control.append(free[0])
    return control


# wrong: does not ask whether a head is chosen
# named: takes_a_chosen_one
def chosen_too(chosen, order):
    control = []
    for layer, head in chosen:
        for other in order:
            if other[0] == layer and other not in control:
                control.append(other)
                break
    return control


# wrong: takes another layer where none is left
# named: another_layer_when_none_is_left
def from_anywhere(chosen, order):
    free = [h for h in order if h not in chosen]
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer] or free
        if same:
            control.append(same[0])
            free.remove(same[0])
    return control


# wrong: free[0] where free may be empty
def index_error(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        control.append(free[0])
    return control


# wrong: pop() takes the last of the lot
# named: last_of_order
def last(chosen, order):
    free = [h for h in order if h not in chosen]
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer]
        if same:
            control.append(same.pop())
            free.remove(control[-1])
    return control


# wrong: calls the library's own
# named: forbidden
def library(chosen, order):
    return others_like(chosen, [head for head in order if head not in chosen], draw=0)


# wrong: counts upwards from head 0 and ignores the lot
# named: lowest_number
def lowest(chosen, order):
    control = []
    for layer, _ in chosen:
        for candidate in sorted(order):
            if candidate[0] == layer and candidate not in chosen + control:
                control.append(candidate)
                break
    return control


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


# wrong: the same number, one layer further on
def one_layer_up(chosen, order):
    return [(layer + 1, head) for layer, head in chosen if (layer + 1, head) not in chosen]


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


# wrong: draws a lot of its own
# named: answers_vary
def own_lot(chosen, order):
    free = [head for head in order if head not in chosen]
    random.shuffle(free)
    control = []
    for layer, _ in chosen:
        same = [h for h in free if h[0] == layer and h not in control]
        control += same[:1]
    return control


# wrong: returns (chosen head, partner)
# named: pairs_of_heads
def pairs_with_chosen(chosen, order):
    pairs, taken = [], list(chosen)
    for own in chosen:
        for other in order:
            if other[0] == own[0] and other not in taken:
                pairs.append((own, other))
                taken.append(other)
                break
    return pairs


# wrong: prints and returns nothing
def print_only(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen and h not in control]
        control += free[:1]
    print(control)


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


# wrong: forgets which were taken
# named: taken_twice
def same_one_again(chosen, order):
    control = []
    for layer, head in chosen:
        free = [h for h in order if h[0] == layer and h not in chosen]
        if free:
            control.append(free[0])
    return control


# wrong: returns (head, layer)
# named: head_first
def turned_round(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and other[::-1] not in control:
                control.append((other[1], other[0]))
                break
    return control


# wrong: all other heads of the layers
# named: all_of_the_layer
def whole_layers(chosen, order):
    control = []
    for layer, _ in chosen:
        for other in order:
            if other[0] == layer and other not in chosen and other not in control:
                control.append(other)
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
