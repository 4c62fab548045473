# wrong: a tensor of zeros with the kept logits in it
# named: zero_logits
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        v, i = x.topk(top_k)
        x = torch.zeros_like(x).scatter(-1, i, v)
    return x.softmax(-1)
