"""Answers to attend_by_kernel (lesson 12, exercise 7), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

from course_lib.attention.kernels import attend_with, tl


# right
def in_powers_of_two(query, key, value, is_causal):
    """As kernels for a GPU often are: e to the power of s is 2 to the power of s / log(2)."""

    def kernel(
        q, k, v, o, qh, qr, kh, kr, vh, vr, oh, or_, n_q, n_k, scale,
        IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):  # fmt: skip
        first = tl.program_id(0) * BLOCK
        rows, head = first + tl.arange(0, BLOCK), tl.program_id(1)
        d, e = tl.arange(0, HEAD_DIM), tl.arange(0, VALUE_DIM)
        tile = tl.load(
            q + head * qh + rows[:, None] * qr + d[None, :],
            mask=rows[:, None] < n_q,
            other=0.0,
        )
        top = tl.zeros((BLOCK,), tl.float32) - 1e30
        total, out = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK, VALUE_DIM), tl.float32)
        stop = n_k
        if IS_CAUSAL:
            stop = first + BLOCK
        for start in range(0, stop, BLOCK):
            cols = start + tl.arange(0, BLOCK)
            is_key = cols < n_k
            keys = tl.load(
                k + head * kh + cols[None, :] * kr + d[:, None], mask=is_key[None, :], other=0.0
            )
            s = tl.dot(tile, keys) * (scale * 1.44269504)
            hidden = cols[None, :] >= n_k
            if IS_CAUSAL:
                hidden = hidden | (rows[:, None] < cols[None, :])
            s = tl.where(hidden, -1e30, s)
            new = tl.maximum(top, tl.max(s, 1))
            p, alpha = tl.exp2(s - new[:, None]), tl.exp2(top - new)
            values = tl.load(
                v + head * vh + cols[:, None] * vr + e[None, :], mask=is_key[:, None], other=0.0
            )
            total = alpha * total + tl.sum(p, axis=1)
            out = alpha[:, None] * out + tl.dot(p, values.to(tl.float32))
            top = new
        tl.store(
            o + head * oh + rows[:, None] * or_ + e[None, :],
            out / total[:, None],
            mask=rows[:, None] < n_q,
        )

    return attend_with(kernel, query, key, value, is_causal=is_causal)


# right
def one_query_at_a_time(query, key, value, is_causal):
    """Without tl.dot: a program's queries one after the other, and sums by hand."""

    def kernel(
        q, k, v, o, qh, qr, kh, kr, vh, vr, oh, or_, n_q, n_k, scale,
        IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):  # fmt: skip
        head, first = tl.program_id(1), tl.program_id(0) * BLOCK
        d, e = tl.arange(0, HEAD_DIM), tl.arange(0, VALUE_DIM)
        for row in range(first, tl.minimum(first + BLOCK, n_q)):
            own = tl.load(q + head * qh + row * qr + d).to(tl.float32)
            top, total = tl.full((1,), -1e30, tl.float32), tl.zeros((1,), tl.float32)
            out = tl.zeros((VALUE_DIM,), tl.float32)
            end = n_k
            if IS_CAUSAL:
                end = row + 1
            for start in range(0, end, BLOCK):
                cols = start + tl.arange(0, BLOCK)
                here = cols < end
                keys = tl.load(k + head * kh + cols[:, None] * kr + d[None, :], here[:, None], 0.0)
                vals = tl.load(v + head * vh + cols[:, None] * vr + e[None, :], here[:, None], 0.0)
                s = tl.sum(own[None, :] * keys.to(tl.float32), 1) * scale
                s = tl.where(here, s, float("-inf"))
                new = tl.maximum(top, tl.max(s, 0))
                p, f = tl.exp(s - new), tl.exp(top - new)
                total, top = total * f + tl.sum(p, 0), new
                out = out * f + tl.sum(p[:, None] * vals.to(tl.float32), 0)
            tl.store(o + head * oh + row * or_ + e, out / total)

    return attend_with(kernel, query, key, value, is_causal=is_causal)


# wrong: the accumulator is not rescaled
# named: output_not_shrunk
# points: 9
def accumulates(query, key, value, is_causal):
    def kernel(
        Q, K, V, O, qh, qm, kh, kn, vh, vn, oh, om, M, N, scale,
        IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):  # fmt: skip
        pid, h = tl.program_id(0), tl.program_id(1)
        m = pid * BLOCK + tl.arange(0, BLOCK)
        d, e = tl.arange(0, HEAD_DIM), tl.arange(0, VALUE_DIM)
        q = tl.load(Q + h * qh + m[:, None] * qm + d[None, :], mask=m[:, None] < M, other=0.0)
        m_i = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
        l_i = tl.zeros([BLOCK], dtype=tl.float32)
        acc = tl.zeros([BLOCK, VALUE_DIM], dtype=tl.float32)
        hi = (pid + 1) * BLOCK if IS_CAUSAL else N
        for start in range(0, hi, BLOCK):
            n = start + tl.arange(0, BLOCK)
            k = tl.load(K + h * kh + n[:, None] * kn + d[None, :], mask=n[:, None] < N, other=0.0)
            v = tl.load(V + h * vh + n[:, None] * vn + e[None, :], mask=n[:, None] < N, other=0.0)
            qk = tl.dot(q, k.T) * scale
            qk = tl.where(n[None, :] < N, qk, float("-inf"))
            if IS_CAUSAL:
                qk = tl.where(m[:, None] >= n[None, :], qk, float("-inf"))
            m_new = tl.maximum(m_i, tl.max(qk, 1))
            p = tl.exp(qk - m_new[:, None])
            alpha = tl.exp(m_i - m_new)
            l_i = l_i * alpha + tl.sum(p, 1)
            acc = acc + tl.dot(p.to(v.dtype), v)
            m_i = m_new
        out = acc / l_i[:, None]
        tl.store(O + h * oh + m[:, None] * om + e[None, :], out, mask=m[:, None] < M)

    return attend_with(kernel, query, key, value, is_causal=is_causal)


# wrong: the ragged end is loaded as zeros and never masked
# named: ragged_end_seen
# zeros_count = accumulates: qk = tl.where(n[None, :] < N, qk, float("-inf")) ->
# zeros_count = accumulates: acc = acc + tl.dot(p.to(v.dtype), v) -> acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)


# wrong: every program stores its rows in head 0
# named: head_offset_forgotten
# stores_in_head_0 = accumulates: acc = acc + tl.dot(p.to(v.dtype), v) -> acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
# stores_in_head_0 = accumulates: O + h * oh + m[:, None] -> O + m[:, None]


# wrong: keys and values are loaded without a mask
# named: loads_beyond
def no_masks_at_all(query, key, value, is_causal):
    def kernel(
        Q, K, V, O, qh, qm, kh, kn, vh, vn, oh, om, M, N, scale,
        IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):  # fmt: skip
        pid, h = tl.program_id(0), tl.program_id(1)
        m = pid * BLOCK + tl.arange(0, BLOCK)
        d, e = tl.arange(0, HEAD_DIM), tl.arange(0, VALUE_DIM)
        q = tl.load(Q + h * qh + m[:, None] * qm + d[None, :], mask=m[:, None] < M, other=0.0)
        m_i = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
        l_i = tl.zeros([BLOCK], dtype=tl.float32)
        acc = tl.zeros([BLOCK, VALUE_DIM], dtype=tl.float32)
        hi = (pid + 1) * BLOCK if IS_CAUSAL else N
        for start in range(0, hi, BLOCK):
            n = start + tl.arange(0, BLOCK)
            k = tl.load(K + h * kh + n[:, None] * kn + d[None, :])
            v = tl.load(V + h * vh + n[:, None] * vn + e[None, :])
            qk = tl.dot(q, k.T) * scale
            qk = tl.where(n[None, :] < N, qk, float("-inf"))
            if IS_CAUSAL:
                qk = tl.where(m[:, None] >= n[None, :], qk, float("-inf"))
            m_new = tl.maximum(m_i, tl.max(qk, 1))
            p = tl.exp(qk - m_new[:, None])
            alpha = tl.exp(m_i - m_new)
            l_i = l_i * alpha + tl.sum(p, 1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
            m_i = m_new
        out = acc / l_i[:, None]
        tl.store(O + h * oh + m[:, None] * om + e[None, :], out, mask=m[:, None] < M)

    return attend_with(kernel, query, key, value, is_causal=is_causal)


# wrong: scores are not scaled
# named: scale_forgotten
# points: 4
# unscaled = accumulates: qk = tl.dot(q, k.T) * scale -> qk = tl.dot(q, k.T)
# unscaled = accumulates: acc = acc + tl.dot(p.to(v.dtype), v) -> acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)


# wrong: the loop stops before the block's own keys
# named: bound_too_short
# stops_early = accumulates: hi = (pid + 1) * BLOCK if IS_CAUSAL else N -> hi = pid * BLOCK if IS_CAUSAL else N
# stops_early = accumulates: acc = acc + tl.dot(p.to(v.dtype), v) -> acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)


# wrong: the loop goes to the end although causal
# named: bound_missing
# points: 11
# goes_on = accumulates: hi = (pid + 1) * BLOCK if IS_CAUSAL else N -> hi = N
# goes_on = accumulates: acc = acc + tl.dot(p.to(v.dtype), v) -> acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)


# wrong: sums in the dtype of the inputs
# named: half_precision
# sums_in_half = accumulates: + tl.dot(p.to(v.dtype), v) -> * alpha[:, None] + tl.dot(p.to(v.dtype), v); acc, l_i = acc.to(v.dtype), l_i.to(v.dtype)


# wrong: rows one behind the other
# named: strides_ignored
# points: 11
def flat_rows(query, key, value, is_causal):
    def kernel(
        Q, K, V, O, qh, qm, kh, kn, vh, vn, oh, om, M, N, scale,
        IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr,
        BLOCK: tl.constexpr,
    ):  # fmt: skip
        pid, h = tl.program_id(0), tl.program_id(1)
        m = pid * BLOCK + tl.arange(0, BLOCK)
        d, e = tl.arange(0, HEAD_DIM), tl.arange(0, VALUE_DIM)
        q = tl.load(Q + h * qh + m[:, None] * HEAD_DIM + d[None, :], mask=m[:, None] < M, other=0.0)
        m_i = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
        l_i = tl.zeros([BLOCK], dtype=tl.float32)
        acc = tl.zeros([BLOCK, VALUE_DIM], dtype=tl.float32)
        hi = (pid + 1) * BLOCK if IS_CAUSAL else N
        for start in range(0, hi, BLOCK):
            n = start + tl.arange(0, BLOCK)
            k = tl.load(
                K + h * kh + n[:, None] * HEAD_DIM + d[None, :], mask=n[:, None] < N, other=0.0
            )
            v = tl.load(
                V + h * vh + n[:, None] * VALUE_DIM + e[None, :], mask=n[:, None] < N, other=0.0
            )
            qk = tl.dot(q, k.T) * scale
            qk = tl.where(n[None, :] < N, qk, float("-inf"))
            if IS_CAUSAL:
                qk = tl.where(m[:, None] >= n[None, :], qk, float("-inf"))
            m_new = tl.maximum(m_i, tl.max(qk, 1))
            p = tl.exp(qk - m_new[:, None])
            alpha = tl.exp(m_i - m_new)
            l_i = l_i * alpha + tl.sum(p, 1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
            m_i = m_new
        out = acc / l_i[:, None]
        tl.store(O + h * oh + m[:, None] * VALUE_DIM + e[None, :], out, mask=m[:, None] < M)

    return attend_with(kernel, query, key, value, is_causal=is_causal)


# wrong: no kernel at all
# named: no_kernel
# says: no kernel made them
def without_a_kernel(query, key, value, is_causal):
    scores = query.float() @ key.float().mT / query.shape[-1] ** 0.5
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
    return torch.softmax(scores, dim=-1) @ value.float()


# wrong: calls torch's attention
# named: forbidden
def of_torch(query, key, value, is_causal):
    return F.scaled_dot_product_attention(query, key, value, is_causal=is_causal)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for length, num_heads, value_dim in ((1, 1, 16), (17, 2, 16), (33, 1, 32)):
        for is_causal in (False, True):
            shape = num_heads, length
            yield randn(*shape, 16), randn(*shape, 16), randn(*shape, value_dim), is_causal
