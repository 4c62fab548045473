# wrong: divides in one branch only
# named: no_temperature_with_top_k
import torch


def next_token_probs(logits, temperature, top_k):
    if top_k is None:
        return torch.softmax(logits / temperature, dim=-1)
    cut = logits.topk(top_k, dim=-1).values[..., -1:]
    return torch.softmax(logits.masked_fill(logits < cut, -torch.inf), dim=-1)
