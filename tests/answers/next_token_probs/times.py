# wrong: multiplies by the temperature
# named: multiplies
import torch


def next_token_probs(logits, temperature, top_k):
    logits = logits * temperature
    if top_k is not None:
        v, _ = torch.topk(logits, top_k)
        logits = logits.masked_fill(logits < v[..., -1:], float("-inf"))
    return torch.softmax(logits, dim=-1)
