# right
import torch.nn.functional as F


def sum_in_chunks(query, key, value, chunk_len):
    pad = -len(query) % chunk_len
    q, k, v = (
        F.pad(t, (0, 0, 0, pad)).reshape(-1, chunk_len, t.shape[1]) for t in (query, key, value)
    )
    own = k.mT @ v
    after = own.cumsum(0)
    output = (q @ k.mT).tril() @ v + q @ (after - own)
    return output.reshape(-1, value.shape[1])[: len(query)], after[-1]
