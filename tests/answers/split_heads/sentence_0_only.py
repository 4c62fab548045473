# wrong: splits sentence 0 and shows it for every sentence
# named: first_sentence_only
def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    first = x[0].view(seq_len, num_heads, d_model // num_heads).transpose(0, 1)
    return first.expand(batch, num_heads, seq_len, d_model // num_heads)
