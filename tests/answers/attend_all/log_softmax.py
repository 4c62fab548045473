# wrong: uses log_softmax for the returned weights (and exponentiates only for the output)
# named: logarithms

import torch


def attend_all(query, key, value):
    logw = torch.log_softmax(torch.einsum("qd,kd->qk", query, key), dim=-1)
    return logw.exp() @ value, logw
