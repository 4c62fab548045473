# right
def block_step(x, sublayer, norm, norm_first):
    def pre():
        return sublayer(norm(x)) + x

    def post():
        return norm(sublayer(x) + x)

    return [post, pre][int(norm_first)]()
