"""Answers to rows_are_queries (lesson 06, exercise 4), right and wrong, as students write them."""

import functools

import torch


# right
def one_query(attend, x, memory):
    """By the shape, with fewer queries than keys."""
    return attend(x[:1], memory)[1].shape[0] == 1


# right
def by_columns(attend, x, memory):
    before = attend(x, memory)[1]
    columns = torch.zeros(before.shape[1])
    for i in range(len(x)):
        other = torch.cat([x[:i], torch.rand(1, x.shape[1]) - 0.5, x[i + 1 :]])
        columns = torch.maximum(columns, (attend(other, memory)[1] - before).abs().sum(dim=0))
        if (columns > 1e-5).sum() == 1:
            return False
    return True


# right
def jacobian(attend, x, memory):
    slopes = torch.autograd.functional.jacobian(lambda x: attend(x, memory)[1], x)
    moves = slopes.abs().amax(dim=-1) > 1e-6  # (rows, columns, query_len)
    own = moves.any(dim=1)  # (rows, query_len)
    return len(own) == len(x) and not bool((own & ~torch.eye(len(x), dtype=torch.bool)).any())


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
# points: 4
def changes_x_in_place(attend, x, memory):
    _, before = attend(x, memory)
    for i in range(len(x)):
        x[i] = torch.randn(x.shape[1])
        moved = (attend(x, memory)[1] - before).abs() > 1e-5
        if moved.any():
            return bool(moved.any(dim=1).sum() == 1)
    return True


# wrong: changes token 0 only, which may have no choice
# named: one_query_only
# points: 4
def first_token_only(attend, x, memory):
    _, before = attend(x, memory)
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    moved = (attend(z, memory)[1] - before).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


# wrong: supposes that the values are the memory itself
# named: by_output
# points: 2
def output_is_weights_times_memory(attend, x, memory):
    output, weights = attend(x, memory)
    if weights.shape[1] != len(memory):
        return False
    product = weights @ memory
    return product.shape == output.shape and torch.allclose(product, output, atol=1e-4)


# wrong: looks whether the rows sum to 1
# named: by_row_sums
# points: 2
def sums_of_rows(attend, x, memory):
    _, weights = attend(x, memory)
    return bool(torch.allclose(weights.sum(dim=1), torch.ones(len(weights)), atol=1e-4))


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


# wrong: says True when row i moves with token i
# says: Your function says True
def by_row_i_moves(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        changed = x.clone()
        changed[i] = torch.randn_like(x[i])
        if (attend(changed, memory)[1] - before)[i].abs().max() > 1e-5:
            return True
    return False


# wrong: adds 1 to a token, which a LayerNorm takes out again, and compares sums of what moves
# named: same_token
def weighs_rows_against_columns(attend, x, memory):
    before = attend(x, memory)[1]
    rows = columns = 0.0
    for i in range(len(x)):
        other = x.clone()
        other[i] += 1
        moved = (attend(other, memory)[1] - before).abs()
        rows += moved[i].sum() if i < len(moved) else 0
        columns += moved[:, i].sum() if i < moved.shape[1] else 0
    return bool(rows > columns)


# other inputs
def attention_with(weights_of):
    def attention(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return attention


def cross(attend, x, memory):
    return attend(x, memory, memory)


def cross_transposed(attend, x, memory):
    output, weights = attend(x, memory, memory)
    return output, weights.mT


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for weights_of in (torch.sigmoid, torch.exp, lambda scores: torch.softmax(-scores, -1)):
        attend = attention_with(weights_of)
        for query_len, key_len in ((2, 4), (3, 3)):
            x, memory = randn(query_len, 5), randn(key_len, 5)
            yield functools.partial(cross, attend), x, memory
            yield functools.partial(cross_transposed, attend), x, memory
