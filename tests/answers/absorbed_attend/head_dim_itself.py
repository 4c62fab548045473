# wrong: divided by head_dim
# named: scaled_twice

import torch


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.mT / query.shape[-1]
    mixed = torch.softmax(scores, dim=-1) @ latent
    output = mixed @ value_up.mT
    return absorbed, mixed, output
