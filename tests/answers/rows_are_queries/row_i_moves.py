# wrong: asks only whether row i moves, which it does too when columns are queries
# named: own_row_only
import torch


def rows_are_queries(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(min(len(x), before.shape[0])):
        z = x.clone()
        z[i] = torch.randn(x.shape[1])
        if not torch.allclose(attend(z, memory)[1][i], before[i], atol=1e-5):
            return True
    return False
