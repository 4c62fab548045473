# wrong: takes the order query, value, key within a head
# named: key_value_exchanged
import torch


def unpack_neox(weight, num_heads):
    qs, ks, vs = [], [], []
    for head in weight.chunk(num_heads):
        q, v, k = head.chunk(3)
        qs.append(q)
        ks.append(k)
        vs.append(v)
    return torch.cat(qs), torch.cat(ks), torch.cat(vs)
