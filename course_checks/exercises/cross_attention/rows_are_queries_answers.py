"""Answers to rows_are_queries (lesson 06, exercise 4), right and wrong, as students write them."""

import torch


# wrong: adds 1 to every feature of a token, which a LayerNorm takes out again
# named: same_token
def adds_one(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] += 1
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# wrong: changes all tokens of x at once
def all_tokens(attend, x, memory):
    before = attend(x, memory)[1]
    after = attend(torch.randn_like(x), memory)[1]
    moved = (after - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() <= moved.any(dim=0).sum())


# wrong: all tokens of x change at once, so everything moves
# named: all_at_once
def all_tokens_change(attend, x, memory):
    before = attend(x, memory)[1]
    after = attend(torch.randn_like(x), memory)[1]
    moved = (after - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


# wrong: believes what is said of the layer
# named: always_rows
def always_true(attend, x, memory):
    return True


# wrong: any(dim=0) is taken for the rows
# named: inverted
def any_dims_exchanged(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = -z[i]
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return int(moved.any(dim=0).sum()) == 1
    return True


# wrong: the copy is no copy, so before and after are the same
# named: never_rows | changes_input
def before_is_after(attend, x, memory):
    for i in range(len(x)):
        z = x
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - attend(x, memory)[1]).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return False


# wrong: decides by the number of rows
# named: by_shape
def by_shape(attend, x, memory):
    return attend(x, memory)[1].shape[0] == x.shape[0]


# wrong: changes a token of the memory and takes the moved column for a key
# named: memory_columns
def changes_memory(attend, x, memory):
    before = attend(x, memory)[1]
    m = memory.clone()
    m[0] = torch.randn_like(m[0])
    moved = (attend(x, m)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=0).sum() == 1)


# wrong: changes a token of the memory instead of x
# named: memory_columns
def changes_the_memory(attend, x, memory):
    _, before = attend(x, memory)
    z = memory.clone()
    z[0] = torch.randn(memory.shape[1])
    moved = (attend(x, z)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=0).sum() == 1)


# wrong: the token is changed in x itself, without a clone
# named: changes_input
def changes_x_in_place(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        x[i] = torch.randn(x.shape[1])
        moved = (attend(x, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# right
def columns_count(attend, x, memory):
    g = torch.Generator().manual_seed(5)
    before = attend(x.clone(), memory.clone())[1]
    row = col = 0
    for t in range(len(x)):
        for _ in range(3):
            z = x.clone()
            z[t] = torch.randn(x.shape[1:], generator=g)
            moved = (attend(z, memory.clone())[1] - before).abs() > 1e-6
            if moved.any():
                rows, cols = (
                    moved.any(1).nonzero().flatten().tolist(),
                    moved.any(0).nonzero().flatten().tolist(),
                )
                row += rows == [t]
                col += cols == [t]
    return row > col


# right
def compares_counts(attend, x, memory):
    before = attend(x, memory)[1].clone()
    rows = columns = 0
    for i in range(x.size(0)):
        for _ in range(3):
            z = torch.cat([x[:i], torch.randn(1, x.size(1)), x[i + 1 :]])
            moved = ~torch.isclose(attend(z, memory)[1], before, atol=1e-5)
            rows += int(moved.any(1).sum())
            columns += int(moved.any(0).sum())
    return rows < columns


# right
def counts_summed_over_tokens(attend, x, memory):
    before = attend(x, memory)[1]
    rows = columns = 0
    for i in range(len(x)):
        other = torch.cat([x[:i], -2 * x[i : i + 1].roll(1, 1), x[i + 1 :]])
        moved = (attend(other, memory)[1] - before).abs() > 1e-5
        rows += int(moved.any(dim=1).sum())
        columns += int(moved.any(dim=0).sum())
    return rows < columns


# wrong: counts the moved columns where it means the rows
# named: inverted
def dim_mixed_up(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=0).sum() == 1)
    return False


# wrong: doubles a token, which a LayerNorm takes out again
def doubles(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] *= 2
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved[i].any() and moved.any(dim=1).sum() == 1)
    return False


# wrong: changes token 0 only, which may have no choice
# named: one_query_only
def first_token_only(attend, x, memory):
    _, before = attend(x, memory)
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


# wrong: changes token 0 only, which may have had no choice
# named: one_query_only
def first_token_only_2(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn_like(z[0])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


# wrong: tries tokens 0 and 1 only and gives up with True
# named: first_two_only
def first_two_tokens(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(2):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# right
def index_of_what_moved(attend, x, memory):
    _, before = attend(x, memory)
    generator = torch.Generator().manual_seed(5)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1], generator=generator)
        where = ((attend(z, memory)[1] - before).abs() > 1e-5).nonzero()
        if len(where):
            return len(where[:, 0].unique()) == 1
    return False


# wrong: True and False are exchanged
# named: inverted
def inverted(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=0).sum() == 1)
    return False


# right
def keep_one_token(attend, x, memory):
    before = attend(x, memory)[1]
    noise = torch.randn_like(x)
    for i in range(len(x)):
        kept = noise.clone()
        kept[i] = x[i]
        same = (attend(kept, memory)[1] - before).abs() < 1e-5
        full_rows, full_columns = same.all(dim=1), same.all(dim=0)
        if i < len(full_rows) and full_rows[i] != (i < len(full_columns) and full_columns[i]):
            return bool(full_rows[i])
        if i >= len(full_rows):
            return False
    others = [torch.cat([x[:i], noise[i : i + 1], x[i + 1 :]]) for i in range(len(x))]
    moved = [(attend(o, memory)[1] - before).abs() > 1e-5 for o in others]
    return sum(int(m.any(1).sum()) for m in moved) < sum(int(m.any(0).sum()) for m in moved)


# wrong: counts more moved rows than columns, the comparison the wrong way round
# named: inverted
def larger_rows(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() > moved.any(dim=0).sum())
    return False


# wrong: changes the last token only, which may have no choice
# named: one_query_only
def last_token_only(attend, x, memory):
    _, before = attend(x, memory)
    z = x.clone()
    z[-1] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved[-1].any() and moved.any(dim=1).sum() == 1)


# wrong: looks which row of the output moves, which is always that of the token
# named: always_rows
def looks_at_the_output(attend, x, memory):
    before, _ = attend(x, memory)
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[0] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# wrong: changes a token of the memory instead of x, and reads the answer the same way
# named: memory_rows
def memory(attend, x, memory):
    before = attend(x, memory)[1]
    for j in range(len(memory)):
        z = memory.clone()
        z[j] = torch.randn(memory.shape[1])
        moved = (attend(x, z)[1] - before).abs() > 1e-5
        if moved.any():
            return int(moved.any(dim=1).sum()) == 1
    return True


# wrong: says False as soon as a query that is tried does not move
# named: all_must_move
def no_choice_means_no(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if i >= moved.shape[0] or not moved[i].any():
            return False
    return True


# wrong: changes one feature by a millionth, which no float shows
# named: always_rows
def one_feature_changed_a_little(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i, 0] += 1e-6
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# wrong: supposes that the values are the memory itself
# named: by_output
def output_is_weights_times_memory(attend, x, memory):
    output, weights = attend(x, memory)
    if weights.shape[1] != len(memory):
        return False
    product = weights @ memory
    return product.shape == output.shape and torch.allclose(product, output, atol=1e-4)


# wrong: x turned round must turn the rows round, which is false where the mask belongs to the place
# named: permuted
def permuted(attend, x, memory):
    before = attend(x, memory)[1]
    after = attend(x.flip(0), memory)[1]
    return bool(torch.allclose(after, before.flip(0), atol=1e-5))


# wrong: asks only whether row i moved at all, and it does in both cases (its cell of column i)
# named: always_rows
def row_i_moved(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn_like(z[i])
        moved = (attend(z, memory)[1] - before).abs() > 1e-5
        if moved.any() and i < len(moved):
            return bool(moved[i].any())
    return True


# wrong: asks only whether row i moves, which it does too when columns are queries
# named: own_row_only
def row_i_moves(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(min(len(x), before.shape[0])):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        if not torch.allclose(attend(z, memory)[1][i], before[i], atol=1e-5):
            return True
    return False


# wrong: looks whether the rows sum to 1, which says nothing when columns do too or none does
# named: by_row_sums
def row_sums(attend, x, memory):
    _, w = attend(x, memory)
    return torch.allclose(w.sum(dim=1), torch.ones(w.shape[0]), atol=1e-4)


# wrong: compares how much all rows move with how much all columns move, which is the same number
# named: always_rows
def scalar_sum(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn_like(z[0])
    change = (attend(z, memory)[1] - before).abs()
    return bool(change.sum(dim=1).sum() >= change.sum(dim=0).sum() - 1e-6)


# wrong: trusts the shape, which says nothing when both lengths are equal
# named: by_shape
def shape(attend, x, memory):
    _, weights = attend(x, memory)
    return tuple(weights.shape) == (len(x), len(memory))


# wrong: decides by the shape, which tells nothing when the lengths are equal
# named: by_shape
def shape_2(attend, x, memory):
    _, w = attend(x, memory)
    return w.shape == (len(x), len(memory))


# right
def spread_of_the_change(attend, x, memory):
    def step(i):
        z = x.clone()
        z[i] = z[i].flip(0) * 1.7 - 0.4
        return (attend(z, memory)[1] - start).abs()

    start = attend(x, memory)[1]
    changes = [step(i) for i in range(x.shape[0])]
    biggest = max(changes, key=lambda change: float(change.max()))
    rows = int((biggest.amax(dim=1) > 1e-6).sum())
    columns = int((biggest.amax(dim=0) > 1e-6).sum())
    return rows < columns


# wrong: looks whether the rows or the columns are nearer to a sum of 1
# named: nearer_sums
def sums_compared(attend, x, memory):
    _, weights = attend(x, memory)
    rows = (weights.sum(dim=1) - 1).abs().max()
    columns = (weights.sum(dim=0) - 1).abs().max()
    return bool(rows <= columns)


# wrong: looks whether the rows sum to 1
# named: by_row_sums
def sums_of_rows(attend, x, memory):
    _, weights = attend(x, memory)
    return bool(torch.allclose(weights.sum(dim=1), torch.ones(len(weights)), atol=1e-4))


# wrong: counts only changes of more than 0.3
# named: too_coarse
def threshold_too_high(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        moved = (attend(z, memory)[1] - before).abs() > 0.3
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# wrong: changes only token 0 of x, and says True if nothing moved
def token0(attend, x, memory):
    before = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return int(moved.any(dim=1).sum()) <= 1


# wrong: exchanges the first two tokens and looks only whether the first two rows are exchanged
# named: permuted
def two_rows_exchanged(attend, x, memory):
    order = [1, 0, *range(2, len(x))]
    before, after = attend(x, memory)[1], attend(x[order], memory)[1]
    return bool(torch.allclose(after[:2], before[[1, 0]], atol=1e-5))


# right
def which_of_row_and_column(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        other = x.clone()
        other[i] = torch.randn_like(x[i]) * 3
        change = (attend(other, memory)[1] - before).abs()
        if change.max() > 1e-5:
            outside_row = change.clone()
            if i < len(outside_row):
                outside_row[i] = 0
            return bool(outside_row.max() <= 1e-5)
    raise ValueError("no query has a choice")


# wrong: sums of the rows of the map after a token was zeroed
def zeroed_token(attend, x, memory):
    z = x.clone()
    z[0] = 0
    row = attend(z, memory)[1][0]
    return bool(torch.allclose(row, row.mean().expand_as(row), atol=1e-4))


# wrong: asks whether row 0 of the weights changes with token 0
# named: output_compared
def row_of_token_0(attend, x, memory):
    a = attend(x, memory)[1]
    z = x.clone()
    z[0] = torch.randn_like(z[0])
    b = attend(z, memory)[1]
    return not torch.allclose(a[0], b[0], atol=1e-5)
