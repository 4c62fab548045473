# wrong: the mean over all queries
# named: all_queries
import torch


def subject_head(weights, query_positions, subject_positions):
    layers, batch, heads = weights.shape[:3]
    means = torch.stack(
        [weights[:, b, :, :, s].mean(-1) for b, s in enumerate(subject_positions.tolist())]
    ).mean(0)
    layer, head = divmod(int(means.argmax()), heads)
    return layer, head, float(means[layer, head])
