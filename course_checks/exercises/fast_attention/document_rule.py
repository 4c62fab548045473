"""Lesson 12, exercise 6: a mask as a rule, as FlexAttention takes it."""

import torch

from course_checks.exercise import Case, Exercise, Property


def document_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    near = (head % 2 == 0) | (query - key < window)
    return same & (key <= query) & near


MISTAKES = """
documents_ignored: documents[batch, query] == documents[batch, key] -> key == key
    You let a token see other documents. Compare the document of the query with the key's.
first_row: documents[batch, query] == documents[batch, key] -> \
        documents[0, query] == documents[0, key]
    You look up the documents of row 0 for every sequence: use batch.
other_documents: documents[batch, query] == -> documents[batch, query] !=
    You let a token see the other documents only. True = may attend.
not_causal: & (key <= query) ->
    You let a token see later ones. The key's position is at most the query's.
future_only: key <= query -> key >= query
    You have query and key exchanged: the key must not lie after the query.
without_itself: key <= query -> key < query
    You hide a token from itself. Its own position may be seen: key <= query.
heads_exchanged: head % 2 == 0 -> head % 2 == 1
    Your odd heads see the whole document, and the even ones a window: turn it round.
no_window: return same & (key <= query) & near -> return same & (key <= query)
    All your heads see the whole document. The odd ones see a window.
window_everywhere: (head % 2 == 0) | ->
    All your heads see a window only. The even ones see all of their document so far.
first_head_only: head % 2 == 0 -> head == 0
    Only head 0 sees the whole document. All even heads do: head % 2 == 0.
one_too_many: < window -> <= window || < window - 1
    Your window is off by one. A window of 1 is the token alone, so query - key < window.
outside_the_window: < window -> >= window
    Your odd heads see what lies outside their window. Near means query - key < window.
inverted: return same & (key <= query) & near -> return ~(same & (key <= query) & near)
    You turn True and False round. In FlexAttention, as in this course, True = may attend.
any_of_them: same & (key <= query) & near -> same | (key <= query) | near
or: same & (key <= query) & near -> same & (key <= query) | near
or: near = (head % 2 == 0) | (query - key < window) -> near = head % 2 == 0 && & near -> \
        & near | (query - key < window)
    You allow a pair that fulfils one of the conditions. It must fulfil them all: &.
without_brackets: near = (head % 2 == 0) | (query - key < window) -> \
        near = head % 2 == 0 | (query - key < window)
    In head % 2 == 0 | ... Python joins 0 | ... first. Put brackets round the comparison.
even_heads_see_ahead: (key <= query) -> ((head % 2 == 0) | (key <= query))
    Your even heads see later tokens of their document. No head may: key <= query holds for all.
"""


def _pairs(generator, batch, heads, seq_len, window, count):
    """Some pairs of a query and a key, and the documents of a batch of packed rows."""

    def choose(high):
        return torch.randint(high, (count,), generator=generator, device="cpu")

    begins = torch.rand(batch, seq_len, generator=generator, device="cpu") < 0.3
    documents = begins.cumsum(dim=1)
    return documents, window, choose(batch), choose(heads), choose(seq_len), choose(seq_len)


def _cases(*sizes):
    return lambda generator: [
        Case(
            _pairs(generator, batch, heads, seq_len, window, count),
            label=f"{batch} rows, {heads} heads, {seq_len} tokens, window {window}",
        )
        for batch, heads, seq_len, window, count in sizes
    ]


def _one_document(generator):
    documents, *others = _pairs(generator, 2, 8, 12, 3, 200)
    return [Case((torch.zeros_like(documents), *others), label="one document a row, window 3")]


def _long_windows(generator):
    return [
        Case(_pairs(generator, 2, 4, 8, 100, 60), label="a window longer than the row"),
        Case(_pairs(generator, 2, 2, 8, 1, 60), label="window 1: odd heads see themselves alone"),
    ]


EXERCISE = Exercise(
    reference=document_rule,
    returns={"may_attend": "the shape of query, boolean"},
    dtype=torch.bool,
    properties=(
        Property(
            "each pair of a packed row is judged",
            2,
            _cases((1, 2, 6, 2, 40), (2, 2, 8, 3, 60), (3, 6, 10, 4, 90)),
        ),
        Property(
            "in one long document the future is hidden, and odd heads see their window",
            1,
            _one_document,
        ),
        Property("the same with a very long window and with one of 1", 1, _long_windows),
    ),
    mistakes=MISTAKES,
)
