# wrong: the top_k probabilities put back among zeros, without dividing by their sum
# named: not_divided_again
import torch


def next_token_probs(logits, temperature, top_k):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        values, indices = probs.topk(top_k)
        probs = torch.zeros_like(probs).scatter(-1, indices, values)
    return probs
