# wrong: 0 where allowed and minus infinity where not
# named: additive
import math

import torch


def combine_masks(padding, causal):
    return torch.zeros(padding.shape[0], 1, *causal.shape).masked_fill(
        ~(padding & causal), -math.inf
    )
