"""Right answers written in other ways, the notebooks' solutions, and small edits of source code."""

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import numpy as np
import torch
import torch.nn.functional as F

SOLUTIONS = Path(__file__).parent.parent / "solutions"
SEEDS = range(50)


# --- right answers that are written differently ------------------------------------------------


def attend_by_hand_numpy(query, keys, values):
    scores = np.array(keys) @ np.array(query)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ np.array(values), weights


def attend_by_hand_torch(q, k, v):
    weights = torch.tensor(k, dtype=torch.float64) @ torch.tensor(q, dtype=torch.float64)
    weights = weights.softmax(0)
    return (weights @ torch.tensor(v, dtype=torch.float64)), tuple(weights)


def attend_all_einsum(query, key, value):
    weights = torch.einsum("id,jd->ij", query, key).exp()
    weights = torch.einsum("ij,i->ij", weights, 1 / weights.sum(1))
    return torch.einsum("ij,jv->iv", weights, value), weights


def attend_all_sdpa(query, key, value):
    identity = torch.eye(len(key), dtype=key.dtype)
    output = F.scaled_dot_product_attention(query, key, value, scale=1.0)
    return output, F.scaled_dot_product_attention(query, key, identity, scale=1.0)


def attend_all_float64(query, key, value):
    weights = torch.matmul(query.double(), key.double().mT).softmax(1)
    return (weights @ value.double()).to(value.dtype), weights.to(value.dtype)


def attend_all_vmap(query, key, value):
    weights = torch.vmap(lambda q: torch.softmax(key @ q, 0))(query)
    return weights @ value, weights


def stable_softmax_loop(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = torch.stack([(row - row.max()).exp() / (row - row.max()).exp().sum() for row in rows])
    return out.reshape(scores.shape)


def stable_softmax_logsumexp(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))


def stable_softmax_float64(scores):
    shifted = scores.double() - scores.double().max(-1, keepdim=True).values
    return (shifted.exp() / shifted.exp().sum(-1).unsqueeze(-1)).to(scores.dtype)


def weights_at_loop(scores, temperature):
    if temperature > 0:
        return F.softmax(scores / temperature, dim=scores.dim() - 1)
    out = torch.zeros_like(scores)
    for index in np.ndindex(*scores.shape[:-1]):
        ties = scores[index] == scores[index].max()
        out[index] = ties / ties.sum()
    return out


def weights_at_masked(scores, temperature):
    top = scores.max(dim=-1, keepdim=True)[0]
    if not temperature:
        return torch.where(scores == top, 0.0, -torch.inf).to(scores).softmax(-1)
    return torch.softmax((scores - top) / temperature, -1)


def rows_sum_to_one_batched(attention):
    inputs = (torch.randn(2, n, 5, dtype=torch.float64) for n in (6, 4, 4))
    _, weights = attention(*inputs)
    is_one = weights.sum(-1).sub(1).abs().lt(1e-6)
    return is_one.all() & weights.ge(0).all()  # a tensor with one bool


def rows_sum_to_one_loop(attention):
    output, weights = attention(torch.rand(7, 3), torch.rand(7, 3) * 2, torch.rand(7, 3))
    shares = all(float(weight) >= 0 for row in weights for weight in row)
    return shares and all(math.isclose(float(row.sum()), 1, abs_tol=1e-3) for row in weights)


def project_qkv_linear(x, w_query, w_key, w_value):
    return [F.linear(x, weight) for weight in (w_query, w_key, w_value)]


def project_qkv_einsum(x, *weights):
    return tuple(torch.einsum("...td,hd->...th", x, weight) for weight in weights)


def project_qkv_chunk(x, w_query, w_key, w_value):
    return (x @ torch.cat([w_query, w_key, w_value]).T).chunk(3, dim=-1)


def scaled_scores_einsum(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * key.size(-1) ** -0.5


def scaled_scores_before(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT


def is_equivariant_inverse(layer, x):
    order = torch.randperm(x.size(0))
    return (layer(x[order])[order.argsort()] - layer(x)).abs().max().item() < 1e-4


def is_equivariant_swaps(layer, x):
    out = layer(x)
    for i in range(len(x) - 1):  # swaps of neighbours generate every order
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if not np.allclose(layer(x[order]).numpy(), out[order].numpy(), atol=1e-5):
            return False
    return True


def single_head_sdpa(x, w_query, w_key, w_value):
    query, key, value = (F.linear(x, weight) for weight in (w_query, w_key, w_value))
    identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]


def single_head_float64(x, w_query, w_key, w_value):
    y, wq, wk, wv = (part.double() for part in (x, w_query, w_key, w_value))
    weights = (y @ (wq.T @ wk) @ y.mT / wq.shape[0] ** 0.5).softmax(-1)
    return (weights @ y @ wv.T).to(x.dtype), weights.to(x.dtype)


def softmax_jacobian_autograd(weights):
    scores = torch.log(weights.clamp(min=1e-30))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


def softmax_jacobian_loop(weights):
    size = len(weights)
    out = torch.empty(size, size, dtype=weights.dtype)
    for i in range(size):
        for j in range(size):
            out[i, j] = weights[i] * (float(i == j) - weights[j])
    return out


def right_answers(name: str) -> list[Callable]:
    """The functions above that answer exercise ``name``, and torch's own where there is one."""
    found = [f for key, f in globals().items() if key.startswith(name + "_") and callable(f)]
    own = {"stable_softmax": [lambda scores: torch.softmax(scores, dim=-1)]}
    return found + own.get(name, [])


# --- the solutions in the notebooks ------------------------------------------------------------


def solution_sources() -> dict[str, tuple[str, Path]]:
    """{function: (its source, its notebook)} of every solution in ``solutions/``."""
    found = {}
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and "### BEGIN SOLUTION" in cell.source:
                for node in ast.parse(cell.source).body:
                    if isinstance(node, ast.FunctionDef):
                        found[node.name] = (ast.unparse(node), path)
    return found


def define(source: str, name: str, names: dict | None = None) -> Callable:
    """The function ``name`` of ``source``, which sees ``names`` or the notebooks' imports."""
    space = {"math": math, "torch": torch} if names is None else dict(names)
    exec(compile(source, "<solution>", "exec"), space)
    return space[name]


def source_of(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(function))


# --- small edits of source code ----------------------------------------------------------------

FLIPPED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


def edits_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(what was done, the node that takes the place of ``node``)."""
    match node:
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield "drop the minus or not", node.operand
        case ast.BinOp(op=ast.Sub()):
            yield "plus for minus", ast.BinOp(node.left, ast.Add(), node.right)
            yield "drop the subtraction", node.left
        case ast.BinOp(op=ast.Add()):
            yield "minus for plus", ast.BinOp(node.left, ast.Sub(), node.right)
        case ast.BinOp(op=ast.Div()):
            yield "drop the divisor", node.left
            yield "multiply for divide", ast.BinOp(node.left, ast.Mult(), node.right)
        case ast.BinOp(op=ast.Mult()):
            yield "drop a factor", node.left
            yield "drop the other factor", node.right
            yield "divide for multiply", ast.BinOp(node.left, ast.Div(), node.right)
        case ast.BinOp(op=ast.MatMult()):
            yield "exchange the factors", ast.BinOp(node.right, ast.MatMult(), node.left)
        case ast.Compare(ops=[op]) if type(op) in FLIPPED:
            yield (
                "flip the comparison",
                ast.Compare(node.left, [FLIPPED[type(op)]()], node.comparators),
            )
        case ast.Constant(value=bool()):
            yield "flip the constant", ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield "one more", ast.Constant(node.value + 1)
            yield "one less", ast.Constant(node.value - 1)
        case ast.Attribute(attr="T" | "mT"):
            yield "drop the transpose", node.value
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch" | "math"))) if node.args:
            yield "drop the call", node.args[0]
        case ast.Call(func=ast.Attribute()):
            yield "drop the method", node.func.value
        case ast.Call(func=ast.Name()) if node.args:
            yield "drop the call", node.args[0]
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
            yield "exchange two", ast.Tuple([second, first, *rest], ast.Load())


def mutations(source: str) -> Iterator[tuple[str, str]]:
    """Every (description, source) that differs from ``source`` by one edit."""
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for index, (what, _) in enumerate(edits_of(node)):
            copy = ast.parse(source)
            target = list(ast.walk(copy))[place]
            replacement = list(edits_of(target))[index][1]

            class Replace(ast.NodeTransformer):
                def visit(self, visited, target=target, replacement=replacement):
                    return replacement if visited is target else self.generic_visit(visited)

            changed = ast.unparse(ast.fix_missing_locations(Replace().visit(copy)))
            yield f"{what}: {ast.unparse(node)}", changed
