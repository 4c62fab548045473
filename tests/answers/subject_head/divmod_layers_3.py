# wrong: divides the index by the number of layers instead of the heads
# named: wrong_divisor
import torch


def subject_head(weights, query_positions, subject_positions):
    b = torch.arange(weights.shape[1])
    means = weights[:, b, :, query_positions, subject_positions].mean(dim=0)
    layer, head = divmod(means.argmax().item(), weights.shape[0])
    return layer, head, means.max().item()
