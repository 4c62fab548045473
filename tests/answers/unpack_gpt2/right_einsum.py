# right
import torch


def unpack_gpt2(weight):
    d_model = weight.shape[0]
    blocks = weight.view(d_model, 3, d_model)
    q, k, v = torch.einsum("inj->nji", blocks)
    return q, k, v
