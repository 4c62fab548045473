# wrong: log-probabilities
# named: log_probabilities
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k).values[..., -1:], -torch.inf)
    return torch.log_softmax(x, dim=-1)
