# wrong: cuts the mask out of a table of 64 by 64
# named: from_a_table
import torch

TABLE = torch.ones(64, 64, dtype=torch.bool).tril()


def causal_mask(query_len, key_len):
    return TABLE[key_len - query_len : key_len, :key_len]
