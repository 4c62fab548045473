# wrong: returns k numbers for each row
# named: only_the_kept
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is None:
        return torch.softmax(x, dim=-1)
    return torch.softmax(torch.topk(x, top_k, dim=-1).values, dim=-1)
