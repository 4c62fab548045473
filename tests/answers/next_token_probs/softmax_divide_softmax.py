# wrong: a softmax, divided by the temperature, and a softmax again
# named: probabilities_scaled
import torch


def next_token_probs(logits, temperature, top_k):
    p = torch.softmax(logits, dim=-1) / temperature
    if top_k is not None:
        p = p.masked_fill(p < p.topk(top_k).values[..., -1:], -torch.inf)
    return torch.softmax(p, dim=-1)
