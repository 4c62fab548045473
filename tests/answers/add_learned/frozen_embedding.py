# wrong: nn.Embedding.from_pretrained freezes the table, no gradient reaches it
# named: cut_off
import torch
from torch import nn


def add_learned(x, table, offset):
    embedding = nn.Embedding.from_pretrained(table)
    return x + embedding(torch.arange(offset, offset + x.shape[1]))
