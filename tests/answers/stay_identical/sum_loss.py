# wrong: compares weights and gradients under the loss output.sum(), which sees only the column sums of the blocks
# named: sum_as_loss
import torch


def stay_identical(heads, out_proj, x):
    out_proj(torch.cat([h(x)[0] for h in heads], dim=-1)).sum().backward()
    for h in heads:
        for a, b in zip(heads[0].parameters(), h.parameters()):
            if not torch.allclose(a, b, atol=1e-5) or not torch.allclose(a.grad, b.grad, atol=1e-5):
                return False
    return True
