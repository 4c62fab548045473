# wrong: to make it sum to 1 again, a softmax over probabilities and zeros
# named: softmax_of_the_rest
import torch


def next_token_probs(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        cut = p.topk(top_k, dim=-1).values[..., -1:]
        p = torch.where(p >= cut, p, 0.0)
        p = torch.softmax(p, dim=-1)
    return p
