# right
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    n = weights.shape[-1]
    q = torch.nn.functional.one_hot(query_positions, n).to(weights.dtype)
    s = torch.nn.functional.one_hot(subject_positions, n).to(weights.dtype)
    means = torch.einsum("lbhqk,bq,bk->lh", weights, q, s) / batch
    value, index = means.flatten().max(dim=0)
    return index.item() // heads, index.item() % heads, value.item()
