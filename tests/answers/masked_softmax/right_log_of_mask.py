# right
from torch.nn import functional as F


def masked_softmax(scores, mask):
    return F.softmax(scores + mask.to(scores.dtype).log(), dim=-1)
