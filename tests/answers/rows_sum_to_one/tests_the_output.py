# wrong: adds up the rows of the output instead of the weights
# named: rejects_everything

import torch


def rows_sum_to_one(attention):
    output, _ = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool(torch.allclose(output.sum(-1), torch.ones(3), atol=1e-5) and (output >= 0).all())
