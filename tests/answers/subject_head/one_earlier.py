# wrong: the token before the one asked for
# named: query_one_earlier
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions - 1, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
