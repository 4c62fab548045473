# right

import torch


def add_learned(x, table, offset):
    places = torch.arange(x.shape[-2], device=x.device).add(offset)
    return torch.nn.functional.embedding(places, table).unsqueeze(0) + x
