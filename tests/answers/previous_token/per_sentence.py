# wrong: keeps the batch, (batch, num_heads), instead of the mean over all sentences
# named: not_over_sentences

import torch


def previous_token(weights):
    return torch.diagonal(weights, -1, 2, 3).mean(dim=-1)
