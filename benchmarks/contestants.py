"""Ways to compute the same multi-head self-attention, from one set of weights."""

import torch
import torch.nn.functional as F

from course_lib import MultiHeadAttention, causal_mask, separate_heads
from course_lib.model.conversion import attention_to_torch


def forward_functions(module: MultiHeadAttention, x: torch.Tensor) -> dict:
    """Return, by name, functions from x to the output; all give the same numbers.

    "limit" is what no module can beat without another kernel: four bare projections and torch's
    fused attention.
    """
    theirs = attention_to_torch(module)
    heads, out_proj = separate_heads(module)
    triangle = causal_mask(x.shape[1], device=x.device)
    projections = (module.q_proj, module.k_proj, module.v_proj)

    def limit(x, is_causal=False):
        batch, length, d_model = x.shape
        q, k, v = (
            F.linear(x, p.weight, p.bias).view(batch, length, module.num_heads, -1).transpose(1, 2)
            for p in projections
        )
        joined = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        joined = joined.transpose(1, 2).reshape(batch, length, d_model)
        return F.linear(joined, module.out_proj.weight, module.out_proj.bias)

    def torch_module(x, **options):
        return theirs(x, x, x, average_attn_weights=False, **options)[0]

    return {
        "limit": limit,
        "fused": lambda x: module(x)[0],
        "torch": lambda x: torch_module(x, need_weights=False),
        "limit, causal": lambda x: limit(x, is_causal=True),
        "fused, causal": lambda x: module(x, is_causal=True)[0],
        "fused, triangle as mask": lambda x: module(x, mask=triangle)[0],
        "with weights": lambda x: module(x, need_weights=True)[0],
        "torch, with weights": lambda x: torch_module(x, need_weights=True),
        "loop over heads": lambda x: out_proj(torch.cat([head(x)[0] for head in heads], dim=-1)),
    }


def runnable(functions: dict, x: torch.Tensor, *, backward: bool) -> dict:
    """Return functions without arguments: forward in inference, or forward and backward."""

    def forward_only(function):
        def run():
            with torch.no_grad():
                function(x)

        return run

    def forward_and_backward(function):
        inputs = x.clone().requires_grad_()
        gradient = torch.randn_like(x)

        def run():
            function(inputs).backward(gradient)
            inputs.grad = None  # the parameters' gradients add up for all contestants alike

        return run

    wrap = forward_and_backward if backward else forward_only
    return {name: wrap(function) for name, function in functions.items()}
