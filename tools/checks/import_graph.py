"""Which modules of a package import which, late imports and imports by name included."""

import ast
from pathlib import Path


def name_of(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def modules_in(package: Path) -> dict[str, Path]:
    """Name -> file of a package and of all that is in it."""
    return {name_of(path, package.parent): path for path in sorted(package.rglob("*.py"))}


def imports_of(name: str, path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that one module imports, at its top, inside its functions or by name.

    ``from package import thing`` counts as the module ``package.thing`` where there is one, and as
    the package itself where not. ``import_module(f"package.{name}")`` counts as every module whose
    name begins so. That a module also starts the packages around it is left out.
    """
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    wanted = []
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=names):
                wanted += [alias.name for alias in names]
            case ast.ImportFrom(module=base, names=names, level=level):
                if level:
                    above = package.split(".")[: len(package.split(".")) - (level - 1)]
                    base = ".".join([*above, base] if base else above)
                for alias in names:
                    inner = f"{base}.{alias.name}"
                    wanted.append(inner if inner in modules else str(base))
            case ast.Call(func=function, args=[ast.Constant(value=str(target)), *_]):
                wanted += [target] if imports_by_name(function) else []
            case ast.Call(
                func=function, args=[ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]), *_]
            ):
                if imports_by_name(function):
                    wanted += [module for module in modules if module.startswith(start)]
    return (modules.keys() & wanted) - {name}


def imports_by_name(function: ast.expr) -> bool:
    name = getattr(function, "attr", getattr(function, "id", None))
    return name in ("import_module", "__import__")


def reached_from(name: str, graph: dict[str, set[str]]) -> set[str]:
    """The module itself, all that it imports, and all that these import in turn."""
    reached, left = set(), {name}
    while left:
        module = left.pop()
        reached.add(module)
        left |= graph[module] - reached
    return reached
