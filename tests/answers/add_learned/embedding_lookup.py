# right
import torch
import torch.nn.functional as F


def add_learned(x, table, offset):
    places = torch.arange(x.shape[1], device=table.device).add(offset).expand(x.shape[:2])
    return F.embedding(places, table) + x
