# wrong: no activation
# named: no_activation


def swiglu(x, gate, up, down):
    return ((x @ gate.T) * (x @ up.T)) @ down.T
