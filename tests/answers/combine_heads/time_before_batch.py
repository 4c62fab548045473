# wrong: puts the time first and reshapes as if the batch were first
# named: tokens_before_sentences
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.permute(2, 0, 1, 3).reshape(batch, seq_len, num_heads * head_dim)
