# wrong: averages the heads
# named: averaged
def heads_to_matrix(heads):
    weight = sum(head.weight for head in heads) / len(heads)
    return weight, sum(head.bias for head in heads) / len(heads)
