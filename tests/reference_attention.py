"""Multi-head attention computed one head at a time in float64, and random cases to compare on."""

from dataclasses import dataclass

import torch
from hypothesis import settings
from hypothesis import strategies as st

from course_lib import MultiHeadAttention, scaled_dot_product_attention

DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
# The same examples in every run, so that a red run can be repeated.
PROPERTY = settings(max_examples=40, deadline=None, derandomize=True)


def reference_attention(module, query, key, value, mask, is_causal):
    """Return output and weights in float64, head by head.

    ``test_attention.py`` compares the attention of one head with plain loops.
    """
    weight = {name: tensor.detach().double() for name, tensor in module.state_dict().items()}

    def project(name, x):
        projected = x.double() @ weight[f"{name}.weight"].T
        return projected + weight.get(f"{name}.bias", 0.0)

    q, k, v = project("q_proj", query), project("k_proj", key), project("v_proj", value)
    heads, size, found = module.num_heads, module.head_dim, []
    for head in range(heads):
        own, shared = head * size, head * module.num_kv_heads // heads * size
        parts = (x[..., at : at + size] for x, at in ((q, own), (k, shared), (v, shared)))
        allowed = mask
        if mask is not None and mask.dim() == 4:  # for all heads or for each
            allowed = mask[:, head % mask.shape[1]]
        found.append(scaled_dot_product_attention(*parts, mask=allowed, is_causal=is_causal))
    outputs, weights = zip(*found, strict=True)
    return project("out_proj", torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


@dataclass
class Case:
    """A module in float64, inputs that fit it, and a mask."""

    module: MultiHeadAttention
    query: torch.Tensor
    key: torch.Tensor | None
    value: torch.Tensor | None
    mask: torch.Tensor | None
    is_causal: bool

    def run(self, dtype=torch.float64, **options):
        """Return output and weights, computed in ``dtype``."""
        inputs = [None if x is None else x.to(dtype) for x in (self.query, self.key, self.value)]
        return self.module.to(dtype)(*inputs, mask=self.mask, is_causal=self.is_causal, **options)

    def expected(self, dtype=torch.float64):
        """Return the float64 truth for parameters and inputs rounded to ``dtype``."""
        key = self.query if self.key is None else self.key
        value = key if self.value is None else self.value
        inputs = [x.to(dtype) for x in (self.query, key, value)]
        return reference_attention(self.module.to(dtype), *inputs, self.mask, self.is_causal)


@st.composite
def modules(draw, max_heads=8):
    """Draw a MultiHeadAttention in float64 with random biases."""
    num_heads = draw(st.integers(1, max_heads))
    divisors = [n for n in range(1, num_heads + 1) if num_heads % n == 0]
    torch.manual_seed(draw(st.integers(0, 2**31)))
    module = MultiHeadAttention(
        num_heads * draw(st.integers(1, 6)),
        num_heads,
        num_kv_heads=draw(st.sampled_from(divisors)),
        bias=draw(st.booleans()),
        dtype=torch.float64,
    )
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name.endswith("bias"):
                parameter.normal_()
    return module.eval()


@st.composite
def cases(draw, kinds=("self", "key", "key and value"), masks=("none", "2-D", "padding", "4-D")):
    """Draw shapes with batch 0-3 and lengths 0-17, masks that may leave rows empty, or none."""
    module = draw(modules())
    batch, query_len = draw(st.integers(0, 3)), draw(st.integers(0, 17))
    kind = draw(st.sampled_from(kinds))
    key_len = query_len if kind == "self" else draw(st.integers(0, 17))
    query = torch.randn(batch, query_len, module.d_model, dtype=torch.float64)
    key = value = None
    if kind != "self":
        key = torch.randn(batch, key_len, module.d_model, dtype=torch.float64)
    if kind == "key and value":
        value = torch.randn(batch, key_len, module.d_model, dtype=torch.float64)
    shape = {
        "none": None,
        "2-D": (query_len, key_len),
        "padding": (batch, 1, 1, key_len),
        "4-D": (batch, module.num_heads, query_len, key_len),
    }[draw(st.sampled_from(masks))]
    mask = None if shape is None else torch.rand(shape) < draw(st.sampled_from([0.2, 0.7]))
    return Case(module, query, key, value, mask, draw(st.booleans()))
