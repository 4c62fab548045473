# wrong: compares norm_first with the string "True"
# named: always_post
def block_step(x, sublayer, norm, norm_first):
    if norm_first == "True":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
