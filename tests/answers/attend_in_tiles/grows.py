# wrong: exp(new - m)
# named: grown
import math

import torch


def attend_in_tiles(query, key, value, block_len, is_causal):
    result = []
    for i in range(0, len(query), block_len):
        q = query[i : i + block_len]
        m = torch.full((len(q), 1), -math.inf)
        t = torch.zeros(len(q), 1)
        acc = torch.zeros(len(q), value.shape[-1])
        for j in range(0, len(key), block_len):
            if is_causal and j > i + len(q) - 1:
                break
            k, v = key[j : j + block_len], value[j : j + block_len]
            s = q @ k.T / math.sqrt(query.shape[-1])
            if is_causal:
                qp = torch.arange(i, i + len(q)).unsqueeze(1)
                kp = torch.arange(j, j + len(k)).unsqueeze(0)
                s = s.masked_fill(kp > qp, -math.inf)
            new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            f = torch.exp(new - m).nan_to_num(posinf=0.0)
            p = torch.exp(s - new)
            t = t * f + p.sum(dim=-1, keepdim=True)
            acc = acc * f + p @ v
            m = new
        result.append(acc / t)
    return torch.cat(result)
