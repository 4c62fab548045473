# wrong: key < query
# named: without_itself
def document_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key < query
    even = head % 2 == 0
    near = query - key < window
    return same & past & (even | near)
