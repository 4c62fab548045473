# wrong: the median of the sentences
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].median(dim=0).values
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
