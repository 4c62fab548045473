# wrong: returns (head, layer, weight)
# named: layer_and_head_exchanged
import torch


def subject_head(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), means.shape[1])
    return head, layer, means[layer, head].item()
