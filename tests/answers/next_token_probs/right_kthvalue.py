# right
import torch.nn.functional as F


def next_token_probs(logits, temperature, top_k):
    logits = logits.clone()
    if top_k is not None:
        n = logits.size(-1)
        cut = logits.kthvalue(n - top_k + 1, dim=-1, keepdim=True)[0]
        logits[logits < cut] = float("-inf")
    return F.softmax(logits / temperature, dim=-1)
