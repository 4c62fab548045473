# right

import torch


def attend_all(query, key, value):
    def one(q):
        w = torch.softmax(key @ q, dim=0)
        return w @ value, w

    output, weights = torch.vmap(one)(query)
    return output, weights
