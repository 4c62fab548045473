# wrong: pre-norm and post-norm are exchanged
# named: orders_exchanged
def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(x))
    return x + sublayer(norm(x))
