# right
def unpack_gpt2(weight):
    return weight.t().split(weight.shape[0], dim=0)
