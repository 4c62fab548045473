# right
import torch
import torch.nn.functional as F


def cross_attend(x, memory, w_query, w_key, w_value):
    q = torch.einsum("...qm,hm->...qh", x, w_query) / len(w_query) ** 0.5
    logits = torch.einsum("...qh,hm,...km->...qk", q, w_key, memory)
    p = torch.exp(F.log_softmax(logits, dim=-1))
    return torch.einsum("...qk,...km,hm->...qh", p, memory, w_value), p
