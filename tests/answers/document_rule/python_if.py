# wrong: an if on tensors
def document_rule(documents, window, batch, head, query, key):
    if head % 2 == 0:
        return (documents[batch, query] == documents[batch, key]) & (key <= query)
    same = documents[batch, query] == documents[batch, key]
    return same & (key <= query) & (query - key < window)
