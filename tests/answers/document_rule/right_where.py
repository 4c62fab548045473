# right
import torch


def document_rule(documents, window, batch, head, query, key):
    """The earliest key that a query may see, then two comparisons."""
    earliest = torch.where(head.remainder(2).eq(0), torch.zeros_like(query), query - window + 1)
    same = documents[batch, query] - documents[batch, key] == 0
    return (earliest <= key) & (key <= query) & same
