"""Lesson 16, exercise 7: for each head that is ablated, another of its layer, by lot."""

from collections import Counter

import torch

from course_checks.exercise import Case, Exercise, Property
from course_checks.judge.answers import kind_of
from course_lib.study.ablation import others_like

LEFT_ALONE = (
    "Here one layer has no free head left for a chosen one: a list of free heads may be empty."
)


def matched_control(chosen, order):
    control = []
    for layer, _ in chosen:
        free = [
            other
            for other in order
            if other[0] == layer and other not in chosen and other not in control
        ]
        control += free[:1]
    return control


MISTAKES = """
any_layer: other[0] == layer and ->
    You take the first free head of any layer. A control has as many heads in each layer as the
    chosen set.
takes_a_chosen_one: and other not in chosen ->
or: for layer, _ in chosen -> for layer, own in chosen && other not in chosen -> \
        other != (layer, own)
    You may take a head that is chosen. None of the chosen heads may be in the control.
taken_twice: and other not in control ->
    You take the same head for several chosen ones. Remember which were taken.
another_layer_when_none_is_left: free[:1] -> \
        free[:1] or [other for other in order if other not in [*chosen, *control]][:1]
    Where the layer has none left you take a head of another. It is no match: leave it out.
none_in_the_list: free[:1] -> free[:1] or [None]
    Where the layer has none left you put None into the list. Leave that head out.
stops_where_none_is_left: free[:1] -> free[:1] * (len(control) == chosen.index((layer, _)))
    Where the layer has none left you stop. The chosen heads after it still need a partner.
lowest_number: free[:1] -> sorted(free)[:1]
    You take the free head with the lowest number. That is no lot: take the first in `order`.
last_of_order: free[:1] -> free[-1:]
    You take the last free head of `order`. The first is asked for.
next_number: lambda chosen, order: [(layer, (head + 1) % (1 + max(order)[1])) for layer, head in \
        chosen]
or: lambda chosen, order: [(layer, head + 1) for layer, head in chosen]
    You take the head with the next number. That is no lot: take the first in `order` that is free.
all_of_the_layer: free[:1] -> free
    You take all free heads of the layer. A control has one for each chosen head.
one_for_each_layer: free[:1] -> free[:1] * (layer not in [taken for taken, _ in control])
    You take one head for each layer. Where two of a layer are chosen, the control needs two.
in_the_order_of_the_lot: return control -> return [other for other in order if other in control]
or: return control -> return sorted(control)
    Your heads are the right ones in another order. The first partner belongs to the first chosen
    head.
same_number: for layer, _ in chosen -> for _, own in chosen && other[0] == layer -> other[1] == own
    You compare the numbers of the heads and not their layers. A head is (layer, head).
chosen_themselves: lambda chosen, order: [head for head in order if head in chosen]
    You return the chosen heads. A control is made of other heads of the same layers.
set: return control -> return set(control)
    You collect the heads in a set. It has no order, so nobody can tell whose partner a head is.
dictionary: return control -> return dict(zip(chosen, control))
    You collect the heads in a dictionary. Return a list of the partners alone.
numbers_alone: return control -> return [head for _, head in control]
    You return the numbers of the heads alone. Every layer has a head 0: return pairs.
pairs_of_heads: and other not in control -> and other not in [mine for _, mine in control] && \
                free[:1] -> [((layer, _), other) for other in free[:1]]
    You return each chosen head with its partner. Return the partners alone.
head_first: return control -> return [(head, layer) for layer, head in control]
    You return (head, layer). The layer comes first.
"""


def _observe(function, chosen, order):
    """The heads that it returns, as pairs of whole numbers; None where there is None in the list.

    Or a sentence where the answer is no list of heads.
    """
    in_layer, of_chosen = (Counter(layer for layer, _ in heads) for heads in (order, chosen))
    one_is_left_alone = any(2 * count > in_layer[layer] for layer, count in of_chosen.items())
    try:
        control = function(chosen, order)
    except (IndexError, StopIteration, ValueError) as error:  # free[0], next(free), min(free)
        if one_is_left_alone:
            error.args = (f"{error}{'. ' if str(error) else ''}{LEFT_ALONE}",)
        raise
    if control is None:
        return None
    if not isinstance(control, (list, tuple)):
        return f"Your function should return a list of heads. It returned {kind_of(control)}."
    if control and isinstance(control[0], int):
        return (
            "Your function should return heads as pairs (layer, head). Its list begins with "
            f"{control[0]}."
        )
    heads = []
    for head in control:
        is_pair = isinstance(head, (tuple, list)) and len(head) == 2
        if head is not None and not (is_pair and all(isinstance(number, int) for number in head)):
            return f"Each entry of your list should be a pair (layer, head). One is {head!r}."
        heads.append(head if head is None else (int(head[0]), int(head[1])))
    return {"control": heads}


def _models(*settings, chosen_first=True):
    """(num_layers, num_heads, the layers of the chosen heads) each.

    Where the chosen heads come first in ``order``, whoever does not ask will take one of them.
    """
    return lambda generator: [_case(generator, chosen_first, *setting) for setting in settings]


def _case(generator, chosen_first, num_layers, num_heads, layers):
    def shuffled(count):
        return torch.randperm(count, generator=generator, device="cpu").tolist()

    numbers = {layer: shuffled(num_heads) for layer in layers}
    chosen = [(layer, numbers[layer].pop()) for layer in layers]
    order = [divmod(place, num_heads) for place in shuffled(num_layers * num_heads)]
    if chosen_first:
        order.sort(key=lambda head: head not in chosen)
    return Case((chosen, order), label=f"chosen = {chosen} and order = {order}")


EXERCISE = Exercise(
    reference=matched_control,
    returns={"control": "a list of heads (layer, head)"},
    kind="shapes",
    observe=_observe,
    library=(others_like,),
    properties=(
        Property(
            "a chosen head gets the first of `order` that is in its layer and is not chosen",
            2,
            _models((2, 4, [1]), (3, 4, [0]), (2, 6, [1, 0]), (3, 5, [2, 0, 1])),
        ),
        Property(
            "several chosen heads of one layer: nobody is taken twice",
            2,
            _models((2, 6, [1, 0, 1, 0]), (2, 4, [1, 1]), (3, 6, [2, 0, 2]), (2, 7, [0, 0, 1, 0])),
        ),
        Property(
            "where the layer has none left, that head gets no partner",
            1,
            _models(
                (2, 3, [0, 0, 1]), (3, 4, [1, 2, 1, 1, 0]), (2, 2, [0, 0, 1]), chosen_first=False
            ),
        ),
    ),
    mistakes=MISTAKES,
)
