# wrong: computed under torch.no_grad, so no gradient reaches the weights
# named: cut_off

import torch


@torch.no_grad()
def project_qkv(x, w_query, w_key, w_value):
    return x @ w_query.T, x @ w_key.T, x @ w_value.T
