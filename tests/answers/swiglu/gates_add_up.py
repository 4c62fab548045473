# wrong: softmax over the hidden features
# named: softmax


def swiglu(x, gate, up, down):
    return ((x @ gate.T).softmax(-1) * (x @ up.T)) @ down.T
