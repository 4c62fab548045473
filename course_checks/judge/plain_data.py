"""Data as bytes, and back: all that a judge takes from the process of a student's function.

Nothing is unpickled that was made there. What is read are None, True and False, numbers, texts,
tensors, lists, tuples, dictionaries, errors and the judge's own records, and nothing else.
"""

import json
import struct
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import torch

from course_checks.judge.answers import words_of
from course_checks.judge.verdict import BadForm, Fault, Outcome

RECORDS = {kind.__name__: kind for kind in (BadForm, Fault, Outcome)}
WORDS = (
    *("float64", "float32", "float16", "bfloat16", "complex128", "complex64", "bool"),
    *("uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
)
DTYPES = {word: getattr(torch, word) for word in WORDS}
# Of whose errors a class is taken as it is; one of the student's own is made anew.
KNOWN = ("builtins", "course_checks", "course_lib", "torch", "numpy")
LENGTH = struct.Struct("<Q")


class Unreadable(ValueError):
    """The bytes are no data in this form."""


def as_bytes(value: Any) -> bytes:
    """The value as bytes.

    Raises:
        TypeError: it is or holds what is no data.
    """
    blobs: list[bytes] = []
    text = json.dumps(_written(value, blobs)).encode()
    return b"".join([LENGTH.pack(len(text)), text, *blobs])


def from_bytes(message: bytes) -> Any:
    """The value again.

    Raises:
        Unreadable: the bytes come from something else.
    """
    try:
        (size,) = LENGTH.unpack_from(message)
        text = json.loads(message[LENGTH.size : LENGTH.size + size])
        return _read(text, memoryview(message)[LENGTH.size + size :])
    except Exception as problem:
        raise Unreadable(f"no data: {type(problem).__name__}") from None


def _written(value: Any, blobs: list[bytes]) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (list, tuple):
        return [kind.__name__, *(_written(item, blobs) for item in value)]
    if kind is dict:
        return ["dict", *([_written(k, blobs), _written(v, blobs)] for k, v in value.items())]
    if kind in RECORDS.values():
        names = [field.name for field in fields(value) if field.init]  # a judge's own stay there
        return [kind.__name__, {name: _written(getattr(value, name), blobs) for name in names}]
    if isinstance(value, torch.Tensor):
        flat = torch.empty(value.shape, dtype=value.dtype).copy_(value.detach()).reshape(-1)
        start = sum(map(len, blobs))
        blobs.append(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
        return ["tensor", str(value.dtype).removeprefix("torch."), list(value.shape), start]
    if isinstance(value, BaseException):
        plain = all(type(item) in (str, int, float, bool) for item in value.args)
        known = next(base for base in kind.__mro__ if base.__module__.partition(".")[0] in KNOWN)
        about = [kind.__name__, known.__module__, known.__name__, words_of(value)]
        return ["error", *about, list(value.args) if plain else []]
    raise TypeError(f"{kind} is no data")


def _read(text: Any, blobs: memoryview) -> Any:
    if text is None or type(text) in (bool, int, float, str):
        return text
    kind, *rest = text
    if kind == "list":
        return [_read(item, blobs) for item in rest]
    if kind == "tuple":
        return tuple(_read(item, blobs) for item in rest)
    if kind == "dict":
        return {_read(k, blobs): _read(v, blobs) for k, v in rest}
    if kind == "tensor":
        word, shape, start = rest
        return _tensor(word, shape, start, blobs)
    if kind == "error":
        return _error(*rest)
    (held,) = rest
    return RECORDS[kind](**{name: _read(item, blobs) for name, item in held.items()})


def _tensor(word: str, shape: list[int], start: int, blobs: memoryview) -> torch.Tensor:
    dtype = DTYPES[word]
    count = torch.Size(shape).numel()
    part = bytearray(blobs[start : start + count * dtype.itemsize])
    if not count:
        return torch.zeros(shape, dtype=dtype, device="cpu")
    return (
        torch.frombuffer(part, dtype=torch.uint8, count=count * dtype.itemsize)
        .view(dtype)
        .reshape(shape)
    )


def _error(name: str, module: str, known: str, words: str, given: list) -> BaseException:
    kind: Any = getattr(sys.modules.get(module), known, None)
    is_known = module.partition(".")[0] in KNOWN and isinstance(kind, type)
    if not (is_known and issubclass(kind, BaseException)):
        raise Unreadable("no error")
    if name != known:
        kind = type(str(name), (kind,), {})
    for error in _tries(kind, given):
        if words_of(error) == words:
            return error
    error = BaseException.__new__(kind)
    error.args = (words,)
    return error


def _tries(kind: type[BaseException], given: list) -> Iterator[BaseException]:
    try:
        yield kind(*given)
    except Exception:  # it wants other arguments
        return
