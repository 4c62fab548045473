# wrong: the absorbed query is divided
# named: scaled_query_returned
import math

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ key_up / math.sqrt(query.shape[-1])
    scores = absorbed @ latent.mT / 1
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output
