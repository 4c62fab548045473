# wrong: keeps what is greater than the last of the top k
# named: one_too_few
import torch


def next_token_probs(logits, temperature, top_k):
    scaled = logits / temperature
    if top_k is None:
        return scaled.softmax(-1)
    smallest = torch.sort(scaled, dim=-1, descending=True)[0][..., top_k - 1 : top_k]
    return torch.where(scaled > smallest, scaled, float("-inf")).softmax(-1)
