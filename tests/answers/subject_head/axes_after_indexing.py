# wrong: after the indexing the sentences come first; averages over the layers instead
import torch


def subject_head(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    found = weights[:, b, :, query_positions, subject_positions]
    means = found.mean(dim=1)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return layer, head, means[layer, head].item()
