# wrong: query and subject positions are exchanged in the index
# named: axes_exchanged

import torch


def subject_head(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, subject_positions, query_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()
