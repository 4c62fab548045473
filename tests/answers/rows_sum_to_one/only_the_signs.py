# wrong: looks at the signs and not at the sums
# named: signs_alone

import torch


def rows_sum_to_one(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights >= 0).all())
