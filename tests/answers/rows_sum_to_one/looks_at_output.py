# wrong: sums the output instead of the weights
# named: rejects_everything
import torch


def rows_sum_to_one(attention):
    q, k, v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
    output, weights = attention(q, k, v)
    return torch.allclose(output.sum(dim=-1), torch.ones(3), atol=1e-5) and bool(
        (weights >= 0).all()
    )
