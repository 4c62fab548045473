# wrong: takes the largest weight of any one sentence instead of the mean over the sentences
# named: largest_in_any_sentence

import torch


def subject_head(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    w = weights.transpose(1, 2)[:, :, rows, query_positions, subject_positions].amax(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()
