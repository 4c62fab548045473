# right
import torch


def next_token_probs(logits, temperature, top_k):
    scaled = logits / temperature
    k = scaled.shape[-1] if top_k is None else top_k
    threshold = scaled.sort(dim=-1, descending=True).values[..., k - 1].unsqueeze(-1)
    return torch.where(scaled >= threshold, scaled, -torch.inf).softmax(-1)
