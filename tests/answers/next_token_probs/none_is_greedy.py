# wrong: None is taken for 1
import torch


def next_token_probs(logits, temperature, top_k):
    top_k = top_k or 1
    x = logits / temperature
    cut = torch.topk(x, top_k, dim=-1).values[..., -1:]
    return x.masked_fill(x < cut, -torch.inf).softmax(dim=-1)
