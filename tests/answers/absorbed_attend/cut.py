# wrong: the first head_dim numbers of what was mixed
# named: ends_before_the_matrix
import math

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / math.sqrt(query.shape[-1])
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed[..., : query.shape[-1]]
    return absorbed, mixed, output
