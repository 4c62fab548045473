# right
import torch


def sink_attend(query, key, value, sink):
    scores = torch.einsum("hqd,hkd->hqk", query, key) / query.shape[-1] ** 0.5
    total = torch.logaddexp(scores.logsumexp(-1, keepdim=True), sink[:, None, None])
    weights = torch.exp(scores - total)
    return torch.einsum("hqk,hkd->hqd", weights, value), weights
