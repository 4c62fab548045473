# wrong: subtracts 100 from blocked scores
# named: small_number_added
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores - 100.0 * (~mask), dim=-1)
