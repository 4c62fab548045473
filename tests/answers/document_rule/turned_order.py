# wrong: key >= query
# named: future_only
def document_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key >= query
    even = head % 2 == 0
    near = key - query < window
    return same & past & (even | near)
