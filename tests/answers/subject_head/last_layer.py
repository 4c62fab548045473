# wrong: the last layer only
# named: last_layer_only
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    head = int(means[-1].argmax())
    return layers - 1, head, float(means[-1, head])
