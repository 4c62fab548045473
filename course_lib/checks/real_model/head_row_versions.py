"""Other rows of the matrices than those of one head: of other heads, too many, too few."""


def group_of(head, num_heads, num_kv_heads):
    return head // (num_heads // num_kv_heads)


def by_kv_heads(head, num_heads, num_kv_heads):
    return head // num_kv_heads


def own_rows(weight, which, count, head_dim):
    return weight[which * head_dim : (which + 1) * head_dim]


def variant(
    kv_head=group_of,
    query_head=lambda head, num_heads, num_kv_heads: head,
    head_dim=lambda w_q, num_heads, num_kv_heads: len(w_q) // num_heads,
    kv_dim=None,
    rows=own_rows,
    kv_rows=None,
):
    """A version with another rule for the head, another head_dim, or other rows of a matrix.

    ``rows(weight, which, count, head_dim)``: those of head ``which`` of ``count``; ``kv_dim`` and
    ``kv_rows`` hold for keys and values only.
    """

    def version(w_q, w_k, w_v, head, num_heads, num_kv_heads):
        sizes = num_heads, num_kv_heads
        size = head_dim(w_q, *sizes)
        kv_size = kv_dim(w_k, *sizes) if kv_dim else size
        own, of_kv = query_head(head, *sizes), kv_head(head, *sizes)
        shared = kv_rows or rows
        return (
            rows(w_q, own, num_heads, size),
            shared(w_k, of_kv, num_kv_heads, kv_size),
            shared(w_v, of_kv, num_kv_heads, kv_size),
        )

    return version


def piece(weight, which, count, head_dim):
    """One of ``count`` pieces, whatever head_dim is."""
    size = len(weight) // count
    return weight[which * size : (which + 1) * size]


def indexed(weight, which, count, head_dim):
    """As own_rows, but a head that is not there is an error."""
    return weight.unflatten(0, (count, head_dim))[which]


def columns(weight, which, count, head_dim):
    return weight[:, which * head_dim : (which + 1) * head_dim]


def columns_turned(weight, which, count, head_dim):
    return columns(weight, which, count, head_dim).T


def every_nth(weight, which, count, head_dim):
    return weight[which::count]


def every_nth_of_sizes(weight, which, count, head_dim):
    return weight[which :: len(weight) // count]


def one_row(weight, which, count, head_dim):
    return weight[which]


def row_short(weight, which, count, head_dim):
    return weight[which * head_dim : (which + 1) * head_dim - 1]


def begins_at_which(weight, which, count, head_dim):
    return weight[which : which + head_dim]


def in_reverse(weight, which, count, head_dim):
    return own_rows(weight, count - 1 - which, count, head_dim)


def rows_repeated(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    group = num_heads // num_kv_heads
    w_k, w_v = (w.repeat_interleave(group, dim=0) for w in (w_k, w_v))
    return variant()(w_q, w_k, w_v, head, num_heads, num_heads)


def whole_group(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    group = num_heads // num_kv_heads
    first = head // group * group * size
    _, key, value = variant()(w_q, w_k, w_v, head, num_heads, num_kv_heads)
    return w_q[first : first + group * size], key, value
