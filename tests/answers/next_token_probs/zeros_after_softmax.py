# wrong: what is left does not sum to 1
# named: not_divided_again
import torch


def next_token_probs(logits, temperature, top_k):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return probs
    cut = probs.topk(top_k, dim=-1).values[..., -1:]
    return probs * (probs >= cut)
