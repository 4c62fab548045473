# wrong: divides by the number of layers
# named: wrong_divisor
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), layers)
    return layer, head, float(means.max())
