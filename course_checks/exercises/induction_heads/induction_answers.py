"""Answers to induction (lesson 10, exercise 2), right and wrong, as students write them."""

import functools

import torch


# right
def loop(weights, tokens):
    scores, count = weights.new_zeros(weights.shape[1]), 0
    for b, text in enumerate(tokens.tolist()):
        for i, token in enumerate(text):
            keys = [j + 1 for j in range(i) if text[j] == token]
            scores += weights[b, :, i, keys].sum(dim=-1)
            count += bool(keys)
    return scores / count


# right
def compared(weights, tokens):
    """Key j is a target where token j - 1 equals the query's token and j - 1 comes before it."""
    before = torch.cat([torch.full_like(tokens[:, :1], -1), tokens[:, :-1]], dim=1)
    is_target = (before[:, None] == tokens[..., None]).tril()
    rows = torch.einsum("bhij,bij->bhi", weights, is_target.to(weights.dtype))
    return rows.transpose(0, 1)[:, is_target.any(-1)].mean(dim=-1)


# wrong: divides by all queries
# named: all_queries
def all_queries_3(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(-1).mean(dim=(0, 2))


# wrong: sets what is no target to 0 in place
# named: changes_input
def changes_weights(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    weights *= targets[:, None]
    return weights.sum(dim=(0, 2, 3)) / targets.any(dim=-1).sum()


# wrong: takes the first text's targets for all texts
# named: first_texts_targets
def first_text_for_all(weights, tokens):
    equal = (tokens[0][:, None] == tokens[0]).tril(-1)
    targets = torch.roll(equal, 1, dims=1)
    on = (weights * targets).sum(-1)
    return on.sum(dim=(0, 2)) / (targets.any(-1).sum() * len(tokens))


# wrong: the first text only
# named: first_text_only
def first_text_only(weights, tokens):
    weights, tokens = weights[:1], tokens[:1]
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    on_targets = (weights * targets[:, None]).sum(dim=-1)
    return on_targets.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: counts only the latest earlier occurrence
# named: last_one_only
# points: 3
def last_match_only_2(weights, tokens):
    B, H, L, _ = weights.shape
    total, count = torch.zeros(H), 0
    for b in range(B):
        for i in range(L):
            earlier = [j for j in range(i) if tokens[b, j] == tokens[b, i]]
            if earlier:
                total += weights[b, :, i, earlier[-1] + 1]
                count += 1
    return total / count


# wrong: averages each text and then the texts
# named: text_first
def mean_of_texts(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    on = (weights * targets[:, None]).sum(-1).sum(-1)
    return (on / targets.any(-1).sum(-1).clamp(min=1)[:, None]).mean(0)


# wrong: later equal tokens count as well (no tril)
# named: later_ones_too
def no_tril_2(weights, tokens):
    same = tokens[:, :, None] == tokens[:, None, :]
    same = same & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    t = torch.zeros_like(same)
    t[:, :, 1:] = same[:, :, :-1]
    return (weights * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()


# wrong: divides by the number of targets instead of the number of queries
# named: all_targets
def per_cell(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(dim=(0, 2, 3)) / targets.sum()


# wrong: leaves out queries with a weight of 0
# named: queries_that_look_there
# points: 5
def positive_only(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    on_targets = (weights * targets[:, None]).sum(dim=-1)
    return on_targets.sum(dim=(0, 2)) / (on_targets > 0).sum(dim=(0, 2))


# wrong: rows and columns of the weights exchanged
# named: keys_as_queries
def read_by_columns(weights, tokens):
    w = weights.mT
    total, count = torch.zeros(w.shape[1], dtype=w.dtype), 0
    for b, row in enumerate(tokens.tolist()):
        for i in range(len(row)):
            keys = [j + 1 for j in range(i) if row[j] == row[i]]
            if keys:
                total += w[b, :, i, keys].sum(dim=-1)
                count += 1
    return total / count


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, length, symbols in ((1, 5, 3), (3, 7, 3), (2, 4, 2)):
        tokens = torch.randint(symbols, (batch, length), generator=generator)
        yield randn(batch, 2, length, length).softmax(-1), tokens
