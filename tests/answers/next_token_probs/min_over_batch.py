# wrong: the smallest of all rows' thresholds is used for every row
# named: among_all_rows
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values.min()
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)
