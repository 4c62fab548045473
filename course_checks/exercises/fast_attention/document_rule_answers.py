"""Answers to document_rule (lesson 12, exercise 6), right and wrong, as students write them."""

import torch


# wrong: !=
# named: other_documents
def another_document(documents, window, batch, head, query, key):
    same = documents[batch, query] != documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & past & (even | near)


# wrong: documents are not compared
# named: documents_ignored
def any_document(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return past & (even | near)


# wrong: outside the window
# named: outside_the_window
def far_instead(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key >= window
    return same & past & (even | near)


# wrong: head == 0
# named: first_head_only
def head_zero(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head == 0
    near = query - key < window
    return same & past & (even | near)


# wrong: no window at all
# named: no_window
def no_reach(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & past


# wrong: odd heads see all
# named: heads_exchanged
def odd_for_even(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 1
    near = query - key < window
    return same & past & (even | near)


# wrong: | for &
# named: any_of_them
def ored(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same | past | even | near


# wrong: an if on tensors
def python_if(documents, window, batch, head, query, key):
    if head % 2 == 0:
        return (documents[batch, query] == documents[batch, key]) & (key <= query)
    same = documents[batch, query] == documents[batch, key]
    return same & (key <= query) & (query - key < window)


# wrong: a window for all heads
# named: window_everywhere
def reach_for_all(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & past & near


# right
def right_logical(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same.logical_and(past).logical_and(even.logical_or(near))


# right
def right_products(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return (same * past * (even + near)) > 0


# right
def right_where(documents, window, batch, head, query, key):
    """The earliest key that a query may see, then two comparisons."""
    earliest = torch.where(head.remainder(2).eq(0), torch.zeros_like(query), query - window + 1)
    same = documents[batch, query] - documents[batch, key] == 0
    return (earliest <= key) & (key <= query) & same


# wrong: documents of row 0
# named: first_row
def row_zero(documents, window, batch, head, query, key):
    same = documents[0][query] == documents[0][key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & past & (even | near)


# wrong: no condition on the order
# named: not_causal
def sees_the_future(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & (even | near)


# wrong: key < query
# named: without_itself
def strict(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key < query
    even = head % 2 == 0
    near = query - key < window
    return same & past & (even | near)


# wrong: True = blocked
# named: inverted
def true_is_blocked(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return ~(same & past & (even | near))


# wrong: key >= query
# not named yet: future_only
def turned_order(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key >= query
    even = head % 2 == 0
    near = key - query < window
    return same & past & (even | near)


# wrong: <=
# named: one_too_many
def window_and_one(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key <= window
    return same & past & (even | near)


# wrong: one too short
# named: one_too_many
def window_less_one(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window - 1
    return same & past & (even | near)


# wrong: not causal in even heads
# named: even_heads_see_ahead
def even_heads_see_ahead_too(documents, window, batch, head, query, key):
    near = (query - key < window) & (query >= key)
    return (documents[batch, query] == documents[batch, key]) & ((head % 2 == 0) | near)


# wrong: no brackets round head % 2 == 0
# named: without_brackets
def no_brackets(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    near = head % 2 == 0 | (query - key < window)
    return same & (key <= query) & near


# wrong: heads 0 and 2 only, not all even ones
def heads_0_and_2(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    return same & (key <= query) & ((head == 0) | (head == 2) | (query - key < window))
