# wrong: compares norm_first with the string "True"
def block_step(x, sublayer, norm, norm_first):
    if norm_first == "True":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
