# right
import torch


def previous_token(weights):
    queries = torch.arange(1, weights.shape[-1])
    return weights[:, :, queries, queries - 1].transpose(0, 1).flatten(1).mean(dim=1)
