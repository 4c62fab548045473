"""Small edits of source code, one at a time, for mutation runs."""

import ast
from collections.abc import Callable, Iterator

Edits = Callable[[ast.AST], Iterator[tuple[str, ast.AST]]]

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
        case ast.Constant(value=int(number)):
            yield "one more", ast.Constant(number + 1)
            yield "one less", ast.Constant(number - 1)
        case ast.Attribute(attr="T" | "mT"):
            yield "drop the transpose", node.value
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch" | "math"))) if node.args:
            yield "drop the call", node.args[0]
        case ast.Call(func=ast.Attribute(value=owner)):
            yield "drop the method", owner
        case ast.Call(func=ast.Name()) if node.args:
            yield "drop the call", node.args[0]
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
            yield "exchange two", ast.Tuple([second, first, *rest], ast.Load())


MOVED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def edits_of_library(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What ``edits_of`` does, and edits of conditions and of arguments given by name."""
    yield from edits_of(node)
    match node:
        case ast.Compare(ops=[op]) if type(op) in MOVED:
            moved = ast.Compare(node.left, [MOVED[type(op)]()], node.comparators)
            yield "move or turn the comparison", moved
        case ast.BoolOp(op=ast.And()):
            yield "or for and", ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield "and for or", ast.BoolOp(ast.And(), node.values)
        case ast.BinOp(op=ast.BitOr()):
            yield "and for or", ast.BinOp(node.left, ast.BitAnd(), node.right)
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod()):
            yield "drop the divisor", node.left
        case ast.Call(keywords=[_, *_]):
            for keyword in node.keywords:
                rest = [other for other in node.keywords if other is not keyword]
                yield "drop an argument", ast.Call(node.func, node.args, rest)


def mutations(source: str, edits: Edits = edits_of) -> Iterator[tuple[str, str]]:
    """Every (description, source) that differs from ``source`` by one of the ``edits``."""
    tree = ast.parse(source)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            places = list(value) if isinstance(value, list) else [value]
            for index, node in enumerate(places):
                if not isinstance(node, ast.AST):
                    continue
                for what, replacement in edits(node):
                    new = [*places[:index], replacement, *places[index + 1 :]]
                    setattr(parent, name, new if isinstance(value, list) else replacement)
                    changed = ast.unparse(tree)
                    setattr(parent, name, value)
                    yield f"{what}: {ast.unparse(node)}", changed
