# wrong: lets empty rows attend to everything and leaves it so
# named: unmasked_where_empty
import math

import torch


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    return torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
