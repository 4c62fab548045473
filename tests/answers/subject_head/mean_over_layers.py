# wrong: the head with the best mean over the layers
# named: best_number_first
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means.mean(0).argmax())
    layer = int(means[:, head].argmax())
    return layer, head, float(means[layer, head])
