# wrong: head before layer
# named: layer_and_head_exchanged
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return head, layer, float(means[layer, head])
