# wrong: head == 0
# named: first_head_only
def document_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head == 0
    near = query - key < window
    return same & past & (even | near)
