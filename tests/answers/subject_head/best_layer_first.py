# wrong: the best layer by its mean
# named: best_layer_first
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer = int(means.mean(1).argmax())
    head = int(means[layer].argmax())
    return layer, head, float(means[layer, head])
