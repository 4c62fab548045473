# wrong: combines sentence 0 only
# named: first_sentence_only
def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    joined = heads[0].transpose(0, 1).reshape(seq_len, num_heads * head_dim)
    return joined.expand(batch, seq_len, num_heads * head_dim)
