"""Small edits of source code, one at a time, for mutation runs."""

import ast
from collections.abc import Iterator

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
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()):
            yield "drop the minus, not or ~", node.operand
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
        case ast.BinOp(op=ast.BitAnd()):
            yield "or for and", ast.BinOp(node.left, ast.BitOr(), node.right)
            yield "drop one side", node.left
            yield "drop the other side", node.right
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
