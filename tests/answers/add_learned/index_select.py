# right
import torch


def add_learned(x, table, offset):
    places = torch.arange(x.shape[1]) + offset
    return torch.add(x, table.index_select(0, places).unsqueeze(0))
