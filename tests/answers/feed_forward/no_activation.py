# wrong: gelu is left out
# named: no_activation
def feed_forward(x, w_up, b_up, w_down, b_down):
    return (x @ w_up.T + b_up) @ w_down.T + b_down
