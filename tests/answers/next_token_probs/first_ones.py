# wrong: the first k of the vocabulary
# named: first_tokens
import torch


def next_token_probs(logits, temperature, top_k):
    x = (logits / temperature).clone()
    if top_k is not None:
        x[..., top_k:] = -torch.inf
    return torch.softmax(x, dim=-1)
