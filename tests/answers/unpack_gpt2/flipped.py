# wrong: mirrors with flip instead of transposing
# named: mirrored
def unpack_gpt2(weight):
    q, k, v = weight.chunk(3, dim=1)
    return q.flip(1), k.flip(1), v.flip(1)
