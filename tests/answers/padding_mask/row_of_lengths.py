# wrong: lengths as a row against a column of positions, so the table is transposed
# named: reshaped
import torch


def padding_mask(lengths, max_len):
    table = torch.arange(max_len)[:, None] < lengths
    return table.reshape(len(lengths), 1, 1, max_len)
