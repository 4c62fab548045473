# wrong: divides the flat index by the number of layers, not of heads
# named: wrong_divisor

import torch


def subject_head(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, query_positions, subject_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[0])
    return layer, head, w.max().item()
