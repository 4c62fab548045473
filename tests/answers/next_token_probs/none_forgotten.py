# wrong: no case for top_k None
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    cut = torch.topk(x, top_k, dim=-1).values[..., -1:]
    return x.masked_fill(x < cut, -torch.inf).softmax(dim=-1)
