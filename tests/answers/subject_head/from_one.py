# wrong: numbers from 1
# named: from_one
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer + 1, head + 1, float(means[layer, head])
