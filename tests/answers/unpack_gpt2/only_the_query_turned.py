# wrong: turns round the first block only
# named: first_turned_only
def unpack_gpt2(weight):
    q, k, v = weight.chunk(3, dim=1)
    return q.T, k, v
