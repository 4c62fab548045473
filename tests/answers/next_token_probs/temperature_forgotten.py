# wrong: the temperature is not used
# named: no_temperature
import torch


def next_token_probs(logits, temperature, top_k):
    if top_k is not None:
        v = torch.topk(logits, top_k, dim=-1).values
        logits = torch.where(logits < v[..., -1:], torch.tensor(-torch.inf), logits)
    return logits.softmax(-1)
