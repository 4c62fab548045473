# right
import math

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = torch.bmm(query, key_up)
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = torch.bmm(mixed, value_up.transpose(1, 2))
    return absorbed, mixed, output
