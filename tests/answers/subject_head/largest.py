# wrong: the largest in any sentence
# named: largest_in_any_sentence
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    rows = torch.arange(batch)
    means = weights[:, rows, :, query_positions, subject_positions].amax(dim=0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
