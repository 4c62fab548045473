"""Lesson 16, exercise 3: the rows of one head in a model whose heads share keys and values."""

from torch import float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.model.conversion import separate_heads


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = w_q.shape[0] // num_heads
    kv_head = head // (num_heads // num_kv_heads)  # neighbours share
    query = w_q[head * head_dim : (head + 1) * head_dim]  # (head_dim, d_model)
    own = slice(kv_head * head_dim, (kv_head + 1) * head_dim)
    return query, w_k[own], w_v[own]


MISTAKES = """
dealt_like_cards: head // (num_heads // num_kv_heads) -> head % num_kv_heads
or: w_v[own] -> w_v.unflatten(0, (num_kv_heads, -1))[head % num_kv_heads]
    You deal the heads out like cards, head % num_kv_heads. Neighbours share, keys and values alike:
    head // (num_heads // num_kv_heads).
own_number: head // (num_heads // num_kv_heads) -> head || min(head, num_kv_heads - 1)
or: head // (num_heads // num_kv_heads) -> head && w_k[own], w_v[own] -> \
        w_k.unflatten(0, (num_kv_heads, -1))[head], w_v.unflatten(0, (num_kv_heads, -1))[head]
or: head // (num_heads // num_kv_heads) -> \
        head // (num_heads // num_kv_heads) * (num_heads // num_kv_heads)
    You look for the keys under a query head's own number. There are only num_kv_heads key heads:
    num_heads // num_kv_heads query heads share one.
divided_by_kv_heads: head // (num_heads // num_kv_heads) -> head // num_kv_heads
or: head // (num_heads // num_kv_heads) -> head // num_kv_heads && w_k[own], w_v[own] -> \
        w_k.unflatten(0, (num_kv_heads, -1))[kv_head], w_v.unflatten(0, (num_kv_heads, -1))[kv_head]
or: head // (num_heads // num_kv_heads) -> min(head // num_kv_heads, num_kv_heads - 1)
    You divide head by num_kv_heads. Divide by how many share, num_heads // num_kv_heads. (With 9
    heads and 3 key heads both are 3.)
groups_of_three: head // (num_heads // num_kv_heads) -> head // 3
    You let three query heads share, as in SmolLM2. How many do is num_heads // num_kv_heads.
key_head_0: head // (num_heads // num_kv_heads) -> 0
    You take key head 0 for every query head. Only the first num_heads // num_kv_heads use it.
head_ignored: head // (num_heads // num_kv_heads) -> 0 && \
        w_q[head * head_dim : (head + 1) * head_dim] -> w_q[:head_dim]
    You take the first head_dim rows of each matrix, whatever head is.
query_of_the_key_head: w_q[head * head_dim : (head + 1) * head_dim] -> \
        w_q[kv_head * head_dim : (kv_head + 1) * head_dim]
    You take the query under the number of the key head. Each query head has its own rows in w_q.
whole_group: w_q[head * head_dim : (head + 1) * head_dim] -> \
        w_q.unflatten(0, (num_kv_heads, -1))[kv_head]
    Your query holds the rows of all heads that share a key head. Take only this head's.
thin_keys: kv_head * head_dim, (kv_head + 1) * head_dim -> \
        kv_head * (len(w_k) // num_heads), (kv_head + 1) * (len(w_k) // num_heads) || \
        head * (len(w_k) // num_heads), (head + 1) * (len(w_k) // num_heads)
    You cut w_k and w_v into num_heads pieces. They hold num_kv_heads heads, each with as many rows
    as a query head.
wide_keys: own = -> head_dim = w_k.shape[1] // num_kv_heads; own =
    You divide d_model by num_kv_heads. A key head has head_dim rows: len(w_k) // num_kv_heads.
head_dim_by_key_heads: w_q.shape[0] // num_heads -> w_q.shape[0] // num_kv_heads
or: w_q.shape[0] // num_heads -> w_q.shape[0] // num_kv_heads && own = -> \
        head_dim = len(w_k) // num_kv_heads; own =
or: w_q.shape[0] // num_heads -> w_q.shape[1] // num_kv_heads
    You divide by num_kv_heads to get head_dim. It is len(w_q) // num_heads.
head_dim_of_d_model: w_q.shape[0] // num_heads -> w_q.shape[1] // num_heads
    Your head_dim is d_model // num_heads. The rows say how many there are: len(w_q) // num_heads.
sixty_four_rows: w_q.shape[0] // num_heads -> 64
    You take 64 rows for a head, as SmolLM2 has. How many there are is len(w_q) // num_heads.
columns: w_q[head -> w_q[:, head && w_k[own], w_v[own] -> w_k[:, own], w_v[:, own]
or: w_q[head -> w_q.T[head && w_k[own], w_v[own] -> w_k.T[own], w_v.T[own]
    You cut columns. torch.nn.Linear stores (out_features, in_features): a head is rows.
interleaved: w_q[head * head_dim : (head + 1) * head_dim] -> w_q[head::num_heads] && \
        slice(kv_head * head_dim, (kv_head + 1) * head_dim) -> slice(kv_head, None, num_kv_heads)
or: w_q[head * head_dim : (head + 1) * head_dim] -> w_q[head :: len(w_q) // num_heads] && \
        slice(kv_head * head_dim, (kv_head + 1) * head_dim) -> \
        slice(kv_head, None, len(w_k) // num_kv_heads)
or: slice(kv_head * head_dim, (kv_head + 1) * head_dim) -> slice(kv_head, None, num_kv_heads)
or: w_q[head * head_dim : (head + 1) * head_dim] -> w_q[head::num_heads]
    You take rows that lie apart. A head's head_dim rows lie together, from head * head_dim on.
rows_repeated: own = -> w_k, w_v = (w.repeat_interleave(num_heads // num_kv_heads, dim=0) for w in \
        (w_k, w_v)); kv_head = head; own =
    You repeat each row of w_k and w_v by itself. Blocks of head_dim rows are shared.
begins_too_early: head * head_dim : (head + 1) * head_dim -> head : head + head_dim && \
        kv_head * head_dim, (kv_head + 1) * head_dim -> kv_head, kv_head + head_dim
or: kv_head * head_dim, (kv_head + 1) * head_dim -> kv_head, kv_head + head_dim
    Your rows begin at the head's number. Head i begins at row i * head_dim.
one_row: w_q[head * head_dim : (head + 1) * head_dim] -> w_q[head] && w_k[own], w_v[own] -> \
        w_k[kv_head], w_v[kv_head]
    You return one row of each matrix. A head owns head_dim of them.
row_short: + 1) * head_dim] -> + 1) * head_dim - 1] && + 1) * head_dim) -> + 1) * head_dim - 1)
    You take one row too few. A slice already ends before its end.
counted_from_one: lambda w_q, w_k, w_v, head, *sizes: parts_of_head(w_q, w_k, w_v, head - 1, *sizes)
    You count the heads from 1. The first head is number 0.
value_from_w_k: w_v[own] -> w_k[own] || w_k[own] -> w_v[own]
    Your key and your value come from one matrix. They are rows of w_k and of w_v.
key_value_exchanged: w_k[own], w_v[own] -> w_v[own], w_k[own] || query, w_k[own], -> \
        w_k[own], query, || query, w_k[own], w_v[own] -> w_v[own], w_k[own], query
    Your three parts are not in the order query, key, value.
query_for_all: w_k[own], w_v[own] -> query, query
    You return the query's rows three times. Key and value have matrices of their own.
transposed: query, w_k[own], w_v[own] -> query.T, w_k[own].T, w_v[own].T
    Your parts are transposed. Leave the rows as they are stored: (head_dim, d_model).
"""


def _cases(*sizes, dtype=None):
    """(num_heads, num_kv_heads, head_dim, d_model or None for their product, heads) each."""

    def make(generator):
        made = []
        for num_heads, num_kv_heads, head_dim, d_model, heads in sizes:
            d_model = d_model or num_heads * head_dim
            w_q = randn(generator, num_heads * head_dim, d_model).to(dtype)
            w_k, w_v = (
                randn(generator, num_kv_heads * head_dim, d_model).to(dtype) for _ in range(2)
            )
            made += [Case((w_q, w_k, w_v, head, num_heads, num_kv_heads)) for head in heads]
        return made

    return make


_SHAPE = "(head_dim, d_model)"

EXERCISE = Exercise(
    reference=parts_of_head,
    returns={"query": _SHAPE, "key": _SHAPE, "value": _SHAPE},
    library=(separate_heads,),
    properties=(
        Property(
            "query holds the head's own head_dim rows of w_q",
            1,
            _cases((3, 1, 2, None, (0, 2)), (6, 2, 2, None, (1, 5))),
            only="query",
        ),
        Property(
            "key and value hold the rows of the key head that it shares with its neighbours",
            2,
            _cases(
                (6, 2, 2, None, (0, 2, 3, 5)), (6, 3, 2, None, (1, 2, 4)), (8, 2, 3, None, (3, 6))
            ),
        ),
        Property(
            "the same holds where each head has its own key head, and where all share one",
            1,
            _cases((3, 3, 2, None, (0, 1, 2)), (4, 1, 3, None, (0, 3)), (1, 1, 4, None, (0,))),
        ),
        Property(
            "head_dim is counted by the rows, whatever d_model is, in float64 too",
            1,
            all_of(
                _cases((6, 3, 2, 5, (1, 4)), (6, 2, 3, 12, (2, 3)), (6, 2, 3, 24, (4,))),
                _cases((10, 2, 2, 7, (4, 5)), dtype=float64),
            ),
        ),
        Property("gradients reach the three matrices", 1, gradient=_cases((6, 2, 2, None, (0, 4)))),
    ),
    mistakes=(MISTAKES, detached("w_q", "w_k", "w_v")),
)
