# wrong: query and key exchanged
# named: axes_exchanged
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, subject_positions, query_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
