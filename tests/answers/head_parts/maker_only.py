# wrong: returns the maker alone
# named: maker_alone
def head_parts(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i]
