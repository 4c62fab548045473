"""Answers to induction (lesson 10, exercise 2), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: mean over all queries
# named: all_queries
def all_queries(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    return (weights * targets[:, None]).sum(dim=-1).mean(dim=(0, 2))


# wrong: divides by all queries, also those without a target
# named: all_queries
def all_queries_2(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    t = torch.nn.functional.pad(same[..., :-1], (1, 0))
    return (weights * t[:, None]).sum(-1).mean((0, 2))


# wrong: divides by all queries
# named: all_queries
def all_queries_3(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(-1).mean(dim=(0, 2))


# wrong: divides by the targets
# named: all_targets
def all_targets(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=(0, 2, 3))
    return found / targets.sum()


# wrong: sets what is no target to 0 in place
# named: changes_input
def changes_weights(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    weights *= targets[:, None]
    return weights.sum(dim=(0, 2, 3)) / targets.any(dim=-1).sum()


# wrong: divides by the number of targets instead of the number of queries with a target
# named: all_targets
def count_targets(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    t = torch.nn.functional.pad(same[..., :-1], (1, 0))
    return (weights * t[:, None]).sum((0, 2, 3)) / t.sum()


# right
def einsum(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    n = tokens.shape[1]
    shift = torch.eye(n, dtype=weights.dtype).roll(1, 1)
    targets = equal.tril(-1).to(weights.dtype) @ shift
    has = (targets.sum(-1) > 0).to(weights.dtype)
    return torch.einsum("bhqk,bqk->h", weights, targets) / has.sum()


# wrong: looks at the earlier equal token, not at the one after it
# named: on_the_equal_token
def equal_token_itself(weights, tokens):
    targets = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()


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
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: the targets of the first text for all
# named: first_texts_targets
def first_text_targets(weights, tokens):
    equal = tokens[0][:, None] == tokens[0][None, :]
    targets = torch.zeros_like(equal)
    targets[:, 1:] = equal.tril(-1)[:, :-1]
    found = (weights * targets).sum(dim=-1)
    return found.sum(dim=(0, 2)) / (targets.any(dim=-1).sum() * len(tokens))


# wrong: takes the query itself for an earlier token, so everyone has the next key as target
# named: own_position_counts
def itself_counts(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril()
    targets = F.pad(equal[:, :, :-1], (1, 0))
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()


# wrong: the largest where there are several
# named: mean_of_targets
def largest_of_several(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).amax(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: the last earlier match only
# named: last_one_only
def last_match_only(weights, tokens):
    batch, length = tokens.shape
    total, count = torch.zeros(weights.shape[1]), 0
    for b in range(batch):
        for i in range(length):
            for j in range(i - 1, -1, -1):
                if tokens[b, j] == tokens[b, i]:
                    total = total + weights[b, :, i, j + 1]
                    count += 1
                    break
    return total / count


# wrong: counts only the latest earlier occurrence
# named: last_one_only
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


# wrong: equal tokens later in the text too
# named: later_ones_too
def later_2(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    equal = equal & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    targets[:, :, 1:] = equal[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# right
def loops(weights, tokens):
    batch, length = tokens.shape
    total, count = torch.zeros_like(weights[0, :, 0, 0]), 0
    for b in range(batch):
        for i in range(length):
            keys = [j + 1 for j in range(i) if tokens[b, j] == tokens[b, i]]
            if keys:
                total = total + weights[b, :, i, keys].sum(dim=-1)
                count += 1
    return total / count


# right
def loops_2(weights, tokens):
    batch, heads, n, _ = weights.shape
    total, count = torch.zeros(heads, dtype=weights.dtype), 0
    rows = tokens.tolist()
    for b, row in enumerate(rows):
        for q in range(n):
            keys = [j + 1 for j in range(q) if row[j] == row[q]]
            if keys:
                count += 1
                total = total + weights[b][:, q][:, keys].sum(-1)
    return total / count


# right
def loops_3(weights, tokens):
    picked = []
    for b, text in enumerate(tokens.tolist()):
        for i in range(len(text)):
            keys = [j + 1 for j in range(i) if text[j] == text[i]]
            if keys:
                picked.append(weights[b, :, i, keys].sum(dim=-1))
    return torch.stack(picked).mean(dim=0)


# wrong: the mean where there are several
# named: mean_of_targets
def mean_of_several(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1) / targets.sum(-1).clamp(min=1)[:, None]
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: averages each text and then the texts
# named: text_first
def mean_of_texts(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    on = (weights * targets[:, None]).sum(-1).sum(-1)
    return (on / targets.any(-1).sum(-1).clamp(min=1)[:, None]).mean(0)


# wrong: no tril at all
# named: own_position_counts
def no_tril(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: later equal tokens count as well (no tril)
# named: later_ones_too
def no_tril_2(weights, tokens):
    same = tokens[:, :, None] == tokens[:, None, :]
    same = same & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    t = torch.zeros_like(same)
    t[:, :, 1:] = same[:, :, :-1]
    return (weights * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()


# wrong: one place before the equal token
# named: token_before
def one_before(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, :-1] = equal.tril(-1)[:, :, 1:]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# right
def padded(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = F.pad(equal.tril(-1), (1, -1))
    found = weights.masked_fill(~targets[:, None], 0.0).sum(dim=-1)
    counts = targets.any(dim=-1)
    return found.transpose(0, 1)[:, counts].mean(dim=1)


# wrong: divides by the number of targets instead of the number of queries
# named: all_targets
def per_cell(weights, tokens):
    equal = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.roll(equal, 1, dims=2)
    return (weights * targets[:, None]).sum(dim=(0, 2, 3)) / targets.sum()


# wrong: leaves out queries with a weight of 0
# named: queries_that_look_there
def positive_only(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / (found > 0).sum(dim=(0, 2))


# wrong: roll moves the columns round, after a tril that keeps the diagonal: the query's own successor counts
def roll(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril()
    t = same.roll(1, dims=-1)
    return (weights * t[:, None]).sum((0, 2, 3)) / t.any(-1).sum()


# wrong: roll, with the last column round to the front
# named: rolled_first
def rolled(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = equal.roll(1, dims=2).tril()
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: shifts the queries instead of the keys
def rolled_rows(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, 1:] = equal.tril(-1)[:, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# right
def slices_of_weights(weights, tokens):
    before = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)[:, :, :-1]
    found = torch.einsum("bhqk,bqk->bhq", weights[..., 1:], before.to(weights.dtype))
    return found.sum(dim=2).sum(dim=0) / before.any(-1).sum()


# wrong: a mean for each text first
# named: text_first
def text_first(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=(2, 3))
    return (found / targets.any(dim=-1).sum(-1)[:, None]).mean(dim=0)


# wrong: a mean for each text first, 0 for texts without
# named: text_first
def text_first_clamped(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril(-1)[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=(2, 3))
    return (found / targets.any(dim=-1).sum(-1).clamp(min=1)[:, None]).mean(dim=0)


# wrong: moves the table to the left: the key before the earlier token
# named: token_before
def token_before(weights, tokens):
    targets = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = F.pad(targets[:, :, 1:], (0, 1))
    on = (weights * targets[:, None]).sum(-1)
    return on.sum(dim=(0, 2)) / targets.any(-1).sum()


# wrong: removes the diagonal after the move, so the second A of A A has no target
# named: own_place_left_out
def tril_after_shift(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal[:, :, :-1]
    targets = targets.tril(-1)
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: tril() with the query itself
# named: own_position_counts
def tril_zero(weights, tokens):
    equal = tokens[:, :, None] == tokens[:, None, :]
    targets = torch.zeros_like(equal)
    targets[:, :, 1:] = equal.tril()[:, :, :-1]
    found = (weights * targets[:, None]).sum(dim=-1)
    return found.sum(dim=(0, 2)) / targets.any(dim=-1).sum()


# wrong: counts how often the largest weight is on a target
# named: counts_hits
def share_of_hits(weights, tokens):
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    targets = torch.zeros_like(same)
    targets[:, :, 1:] = same[:, :, :-1]
    has = targets.any(-1)
    best = weights.argmax(-1)
    hit = targets[:, None].expand(weights.shape).gather(-1, best[..., None])[..., 0]
    return (hit & has[:, None]).sum((0, 2)).float() / has.sum()


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
