# wrong: adds log(mask + 1e-9), which leaves a little
# named: small_number_added
import torch


def masked_softmax(scores, mask):
    return torch.softmax(scores + torch.log(mask + 1e-9).to(scores.dtype), dim=-1)
