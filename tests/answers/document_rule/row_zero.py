# wrong: documents of row 0
# named: first_row
def document_rule(documents, window, batch, head, query, key):
    same = documents[0][query] == documents[0][key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return same & past & (even | near)
