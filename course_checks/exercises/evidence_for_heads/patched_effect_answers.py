"""Answers to patched_effect (lesson 11, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def where(heads, twin_heads, chosen, lead):
    mine = torch.isin(torch.arange(heads.shape[2]), torch.tensor(chosen))[:, None]
    runs = heads, twin_heads
    mixed = torch.where(mine, twin_heads, heads), torch.where(mine, heads, twin_heads)
    (before, source), (there, back) = map(lead, runs), map(lead, mixed)
    return np.divide([there - before, source - back], source - before)


# right
def loop(heads, twin_heads, chosen, lead):
    answers = []
    for kept, taken in ((heads, twin_heads), (twin_heads, heads)):
        parts = list(kept.unbind(dim=2))
        for head in chosen:
            parts[head] = taken[:, :, head]
        start = lead(kept)
        answers.append((lead(torch.stack(parts, dim=2)) - start) / (lead(taken) - start))
    return answers


# wrong: divides by the lead itself
# named: share_of_the_lead
def lost_share(heads, twin_heads, chosen, lead):
    def lost(kept, taken):
        patched = kept.clone()
        patched[:, :, list(chosen)] = taken[:, :, list(chosen)]
        return 1 - lead(patched) / lead(kept)

    return lost(heads, twin_heads), lost(twin_heads, heads)


# wrong: replaces the heads that were not chosen
# named: others_patched
def others(heads, twin_heads, chosen, lead):
    rest = [h for h in range(heads.size(2)) if h not in chosen]
    before, source = lead(heads), lead(twin_heads)
    there, back = heads.clone(), twin_heads.clone()
    there[:, :, rest] = twin_heads[:, :, rest]
    back[:, :, rest] = heads[:, :, rest]
    return (lead(there) - before) / (source - before), (lead(back) - source) / (before - source)


# wrong: patches in place, so that the second run finds nothing to exchange
# named: changes_input
def in_place(heads, twin_heads, chosen, lead):
    before, source = lead(heads), lead(twin_heads)
    heads[:, :, list(chosen)] = twin_heads[:, :, list(chosen)]
    there = lead(heads)
    twin_heads[:, :, list(chosen)] = heads[:, :, list(chosen)]
    back = lead(twin_heads)
    return (there - before) / (source - before), (back - source) / (before - source)


# wrong: the change of the lead, not divided
# named: not_normalised
def raw_change(heads, twin_heads, chosen, lead):
    c = list(chosen)
    there, back = heads.clone(), twin_heads.clone()
    there[:, :, c] = twin_heads[:, :, c]
    back[:, :, c] = heads[:, :, c]
    return lead(there) - lead(heads), lead(back) - lead(twin_heads)


# wrong: adds up the effects of single heads
# named: summed
# points: 3
def one_by_one(heads, twin_heads, chosen, lead):
    before, source = lead(heads), lead(twin_heads)
    there = back = 0
    for head in chosen:
        mixed = heads.clone()
        mixed[:, :, head] = twin_heads[:, :, head]
        there += (lead(mixed) - before) / (source - before)
        mixed = twin_heads.clone()
        mixed[:, :, head] = heads[:, :, head]
        back += (lead(mixed) - source) / (before - source)
    return there, back


# wrong: the way back is the rest
# named: back_is_the_rest
def one_minus_there(heads, twin_heads, chosen, lead):
    a, b = lead(heads), lead(twin_heads)
    mixed = heads.clone()
    for h in chosen:
        mixed[:, :, h] = twin_heads[:, :, h]
    there = (lead(mixed) - a) / (b - a)
    return there, 1 - there


# wrong: the second dimension is taken for the heads
# named: positions_for_heads
def wrong_dimension(heads, twin_heads, chosen, lead):
    which = list(chosen)
    there, back = heads.clone(), twin_heads.clone()
    there[:, which], back[:, which] = twin_heads[:, which], heads[:, which]
    a, b = lead(heads), lead(twin_heads)
    return (lead(there) - a) / (b - a), (lead(back) - b) / (a - b)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, chosen in (((2, 2, 3, 2), (2,)), ((1, 3, 4, 1), (3, 1))):
        heads, twin_heads, read = randn(*shape), randn(*shape), randn(*shape[1:])

        def lead(said, read=read):
            return ((said * read).sum(dim=(1, 2, 3)).tanh() + said[:, -1, -1, 0] ** 2).sum().item()

        yield heads, twin_heads, chosen, lead
