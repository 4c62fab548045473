# wrong: divides by the root, as attention does with head_dim
# named: root_of_temperature
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature**0.5
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k, dim=-1).values[..., -1:], -torch.inf)
    return x.softmax(dim=-1)
