# wrong: the probabilities are divided by the temperature
# named: divided_afterwards
import torch


def next_token_probs(logits, temperature, top_k):
    if top_k is not None:
        v = torch.topk(logits, top_k, dim=-1).values
        logits = logits.masked_fill(logits < v[..., -1:], -torch.inf)
    return logits.softmax(-1) / temperature
