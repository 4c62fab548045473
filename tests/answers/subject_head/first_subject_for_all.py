# wrong: the first subject for all sentences
# named: one_subject_for_all
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions[0]].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
