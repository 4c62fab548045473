"""Answers to patched_effect (lesson 11, exercise 4), right and wrong, as students write them."""

import torch


# wrong: takes zeros for the chosen heads, an ablation
# named: zero
def ablated(heads, twin_heads, chosen, lead):
    a, b = lead(heads), lead(twin_heads)
    first, second = heads.clone(), twin_heads.clone()
    for h in chosen:
        first[:, :, h] = 0
        second[:, :, h] = 0
    return (lead(first) - a) / (b - a), (lead(second) - b) / (a - b)


# wrong: the way back is measured from the start of the way there
# named: back_from_the_wrong_end
def back_as_there(heads, twin_heads, chosen, lead):
    before, source = lead(heads), lead(twin_heads)
    effects = []
    for kept, taken in ((heads, twin_heads), (twin_heads, heads)):
        mixed = kept.clone()
        mixed[..., list(chosen), :] = taken[..., list(chosen), :]
        effects.append((lead(mixed) - before) / (source - before))
    return effects[0], effects[1]


# right
def by_a_mask(heads, twin_heads, chosen, lead):
    picked = torch.zeros(heads.shape[2], dtype=torch.bool)
    picked[list(chosen)] = True
    picked = picked[:, None]
    clean, twin = lead(heads), lead(twin_heads)
    there = lead(torch.where(picked, twin_heads, heads))
    back = lead(torch.where(picked, heads, twin_heads))
    return (there - clean) / (twin - clean), (back - twin) / (clean - twin)


# right
def by_stacking(heads, twin_heads, chosen, lead):
    def mix(kept, taken):
        parts = [(taken if h in chosen else kept)[:, :, h] for h in range(kept.shape[2])]
        return torch.stack(parts, dim=2)

    def effect(kept, taken):
        start, end = lead(kept), lead(taken)
        return (lead(mix(kept, taken)) - start) / (end - start)

    return [effect(heads, twin_heads), effect(twin_heads, heads)]


# wrong: divides by the lead itself
# named: share_of_the_lead
def lost_share(heads, twin_heads, chosen, lead):
    def lost(kept, taken):
        patched = kept.clone()
        patched[:, :, list(chosen)] = taken[:, :, list(chosen)]
        return 1 - lead(patched) / lead(kept)

    return lost(heads, twin_heads), lost(twin_heads, heads)


# wrong: adds up the effects of single heads
# named: summed
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


# right
def one_loop(heads, twin_heads, chosen, lead):
    there, back = heads.clone(), twin_heads.clone()
    for head in chosen:
        there[:, :, head] = twin_heads[:, :, head]
        back[:, :, head] = heads[:, :, head]
    a, b = lead(heads), lead(twin_heads)
    way = b - a
    return (lead(there) - a) / way, (b - lead(back)) / way


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


# wrong: indexes positions instead of heads
def positions(heads, twin_heads, chosen, lead):
    before, source = lead(heads), lead(twin_heads)
    at = [p % heads.shape[1] for p in chosen]
    there, back = heads.clone(), twin_heads.clone()
    there[:, at], back[:, at] = twin_heads[:, at], heads[:, at]
    return (lead(there) - before) / (source - before), (lead(back) - source) / (before - source)


# wrong: the change of the lead, not divided
# named: not_normalised
def raw_change(heads, twin_heads, chosen, lead):
    c = list(chosen)
    there, back = heads.clone(), twin_heads.clone()
    there[:, :, c] = twin_heads[:, :, c]
    back[:, :, c] = heads[:, :, c]
    return lead(there) - lead(heads), lead(back) - lead(twin_heads)


# wrong: the last position only
# named: last_position_only
def where_the_verb_is(heads, twin_heads, chosen, lead):
    c = list(chosen)
    before, source = lead(heads), lead(twin_heads)
    there, back = heads.clone(), twin_heads.clone()
    there[:, -1, c] = twin_heads[:, -1, c]
    back[:, -1, c] = heads[:, -1, c]
    return (lead(there) - before) / (source - before), (lead(back) - source) / (before - source)


# right
def with_index_copy(heads, twin_heads, chosen, lead):
    index = torch.tensor(chosen)
    leads = [lead(heads), lead(twin_heads)]
    leads.append(lead(heads.index_copy(2, index, twin_heads.index_select(2, index))))
    leads.append(lead(twin_heads.index_copy(2, index, heads.index_select(2, index))))
    before, source, there, back = leads
    return (there - before) / (source - before), (back - source) / (before - source)


# wrong: both directions exchanged
# named: swapped
def wrong_order(heads, twin_heads, chosen, lead):
    c = list(chosen)
    there, back = heads.clone(), twin_heads.clone()
    there[:, :, c], back[:, :, c] = twin_heads[:, :, c], heads[:, :, c]
    way = lead(twin_heads) - lead(heads)
    return (lead(twin_heads) - lead(back)) / way, (lead(there) - lead(heads)) / way


# wrong: the way back is the rest
# named: back_is_the_rest
def one_minus_there(heads, twin_heads, chosen, lead):
    a, b = lead(heads), lead(twin_heads)
    mixed = heads.clone()
    for h in chosen:
        mixed[:, :, h] = twin_heads[:, :, h]
    there = (lead(mixed) - a) / (b - a)
    return there, 1 - there
