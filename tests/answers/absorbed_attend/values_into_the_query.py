# wrong: value_up for the query
# named: value_matrix_for_query
import math

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ value_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output
