# wrong: only the first sentence gets places
# named: first_sentence_only
import torch


def add_learned(x, table, offset):
    rows = table[offset : offset + x.shape[1]]
    return torch.cat([x[:1] + rows, x[1:]])
