# wrong: one token too many: triu(-window) lets each token see window + 1 tokens
# named: one_too_many

import torch


def sliding_window_mask(length, window):
    m = torch.ones(length, length, dtype=torch.bool)
    return m.tril() & m.triu(-window)
