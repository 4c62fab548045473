# right
import torch
import torch.nn.functional as F


def safe_masked_softmax(scores, mask):
    w = F.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return torch.where(w.isnan(), torch.zeros_like(w), w)
