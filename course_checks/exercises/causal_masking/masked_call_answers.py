"""Answers to masked_call (lesson 05, exercise 4), right and wrong, as students write them."""

import math

import torch
from torch.nn import functional as F


# right
def additive(layer, x, mask):
    bias = torch.full(mask.shape, -math.inf, dtype=x.dtype, device=x.device).masked_fill(mask, 0.0)
    return layer(query=x, key=x, value=x, attn_mask=bias)


# right
def additive_right_dtype(layer, x, mask):
    bias = torch.zeros_like(mask, dtype=x.dtype).masked_fill(mask.logical_not(), -math.inf)
    output, weights = layer(query=x, key=x, value=x, attn_mask=bias)
    return output, weights


# wrong: ignores the given mask and makes a causal one
# named: always_causal
def always_causal(layer, x, mask):
    n = x.shape[1]
    blocked = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    return layer(x, x, x, attn_mask=blocked)


# wrong: hands x over with the time first
# named: time_first
def batch_second(layer, x, mask):
    x = x.transpose(0, 1)
    output, weights = layer(x, x, x, attn_mask=~mask)
    return output.transpose(0, 1), weights


# wrong: a causal mask, whatever the mask says
# named: always_causal
def causal_always(layer, x, mask):
    ahead = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return layer(x, x, x, attn_mask=ahead)


# wrong: only sentence 0
# named: first_sentence_only
def first_sentence_only(layer, x, mask):
    x = x[:1]
    return layer(x, x, x, attn_mask=~mask)


# wrong: gives the inverted mask as float 0/1, which torch adds to the scores
# named: blocked_added
def float_inverted(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype))


# wrong: makes 0 and minus infinity in float32, which does not fit float64 inputs
def float32_inf(layer, x, mask):
    bias = torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
    return layer(x, x, x, attn_mask=bias)


# wrong: a float32 mask for any dtype
def float32_infinities(layer, x, mask):
    additive = torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    return layer(x, x, x, attn_mask=additive)


# wrong: hands over 1 and 0, which torch adds to the scores
# named: mask_added
def float_mask(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.to(x.dtype))


# wrong: hands the mask over without inverting it
# named: same_polarity
def forget_not(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)


# wrong: turns the caller's mask round in place
# named: changes_input
def in_place_not(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.logical_not_())


# wrong: hands the first row over as key_padding_mask
# named: padding_row
def key_padding_mask(layer, x, mask):
    return layer(x, x, x, key_padding_mask=~mask[0].expand(x.shape[0], -1))


# wrong: leaves the layer in eval mode
# named: mode_changed
def left_in_eval(layer, x, mask):
    layer.eval()
    return layer(x, x, x, attn_mask=~mask)


# wrong: turns the caller's mask round in place
# named: changes_input
def mask_changed_in_place(layer, x, mask):
    mask.logical_not_()
    return layer(x, x, x, attn_mask=mask)


# wrong: multiplies the weights by the mask afterwards
# named: weights_masked_after
def mask_on_the_weights(layer, x, mask):
    output, weights = layer(x, x, x)
    return output, weights * mask


# wrong: the mask turned round
# named: transposed
def mask_transposed(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask.T)


# wrong: sets tokens that some query may not see to zero
# named: tokens_zeroed
def masked_input(layer, x, mask):
    x = x * mask.all(dim=0)[None, :, None]
    return layer(x, x, x)


# wrong: adds -1e9 to blocked scores instead of minus infinity
# named: number_added
def minus_1e9(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype) * -1e9)


# wrong: adds -10 to blocked scores
# named: number_added
def minus_ten(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype) * -10.0)


# wrong: computes without gradients
# named: detached
def no_grad(layer, x, mask):
    with torch.no_grad():
        return layer(x, x, x, attn_mask=~mask)


# wrong: forgets the mask
# named: no_mask
def no_mask(layer, x, mask):
    return layer(x, x, x)


# wrong: asks for no weights and so returns None in their place
# named: without_weights
def no_weights(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, need_weights=False)


# wrong: subtracts a boolean tensor from 1, which torch refuses
def one_minus(layer, x, mask):
    return layer(x, x, x, attn_mask=1 - mask)


# wrong: returns the output alone
# named: output_alone
def output_alone(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask)[0]


# wrong: hands the last row over as key_padding_mask
# named: padding_row
def padding_of_the_last_row(layer, x, mask):
    return layer(x, x, x, key_padding_mask=(~mask[-1]).repeat(x.shape[0], 1))


# wrong: asks for the weights of each head, so the weights have another shape than the layer gives
# named: weights_per_head
def per_head(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, average_attn_weights=False)


# wrong: attention of x itself, without the layer's matrices
# named: without_matrices
def projections_skipped(layer, x, mask):
    scores = x @ x.transpose(1, 2) / math.sqrt(x.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights @ x, weights


# right
def right_by_hand(layer, x, mask):
    batch, seq_len, d_model = x.shape
    h = layer.num_heads
    projected = F.linear(x, layer.in_proj_weight, layer.in_proj_bias)
    q, k, v = (
        part.view(batch, seq_len, h, d_model // h).transpose(1, 2)
        for part in projected.chunk(3, dim=-1)
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(d_model // h)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    joined = (weights @ v).transpose(1, 2).reshape(batch, seq_len, d_model)
    return layer.out_proj(joined), weights.mean(dim=1)


# right
def right_heads_averaged(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=~mask, average_attn_weights=False)
    return output, weights.mean(dim=1)


# right
def right_logical_not(layer, x, mask):
    output, weights = layer(query=x, key=x, value=x, attn_mask=torch.logical_not(mask))
    return output, weights


# right
def right_minus_infinity(layer, x, mask):
    additive = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -math.inf)
    return layer(x, x, x, attn_mask=additive)


# right
def right_one_mask_a_head(layer, x, mask):
    many = mask.expand(x.shape[0] * layer.num_heads, -1, -1)
    return layer(x, x, x, attn_mask=~many)


# right
def right_sentence_by_sentence(layer, x, mask):
    pairs = [layer(s[None], s[None], s[None], attn_mask=mask == False) for s in x]  # noqa: E712
    return torch.cat([p[0] for p in pairs]), torch.cat([p[1] for p in pairs])


# wrong: hands over (length, batch, d_model) although the layer is batch_first
# named: time_first
def time_first(layer, x, mask):
    t = x.transpose(0, 1)
    output, weights = layer(t, t, t, attn_mask=~mask)
    return output.transpose(0, 1), weights


# wrong: turns the mask round (transposes) instead of inverting True and False, right only where both agree
def transposed(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.T & ~torch.eye(len(mask), dtype=torch.bool))


# wrong: its own weights times x, without the value's and the last matrix
# named: weights_times_x
def value_before_projection(layer, x, mask):
    _, weights = layer(x, x, x, attn_mask=~mask)
    return weights @ x, weights


# wrong: returns the weights before the output
# named: swapped
def weights_first(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=~mask)
    return weights, output


# wrong: minus infinity where it is allowed
# named: same_polarity
def infinity_where_allowed(layer, x, mask):
    added = torch.where(mask, float("-inf"), 0.0).to(x.dtype)
    return layer(x, x, x, attn_mask=added)
