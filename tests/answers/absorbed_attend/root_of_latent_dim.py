# wrong: the root of latent_dim
# named: scaled_by_latent
import math

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(latent.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output
