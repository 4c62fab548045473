# wrong: the places go on counting from one sentence to the next
# named: numbered_on
import torch


def add_learned(x, table, offset):
    batch, length, d_model = x.shape
    places = (offset + torch.arange(batch * length)) % len(table)
    return x + table[places].view(batch, length, d_model)
