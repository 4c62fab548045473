# wrong: argmin for argmax
# named: smallest
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmin()), heads)
    return layer, head, float(means[layer, head])
