# wrong: one threshold for the whole batch
# named: among_all_rows
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = torch.topk(x.flatten(), top_k).values.min()
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)
