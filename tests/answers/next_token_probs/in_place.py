# wrong: changes the logits of the caller
# named: changes_input
import torch


def next_token_probs(logits, temperature, top_k):
    logits /= temperature
    if top_k is not None:
        logits[logits < logits.topk(top_k, dim=-1).values[..., -1:]] = -torch.inf
    return logits.softmax(dim=-1)
