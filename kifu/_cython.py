"""What the compiled modules need of ``cython`` when they run interpreted and Cython is not installed.

With ``from __future__ import annotations`` no annotation is ever evaluated, so types are needed only as the first
argument of `cast` and `declare`, which ignore it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Thing = TypeVar("Thing")

compiled = False
bint = char = uchar = short = ushort = uint = long = ulong = longlong = ulonglong = object
Py_ssize_t = size_t = double = object


def _unchanged(thing: Thing) -> Thing:
    return thing


def _decorator(*_args: object, **_types: object) -> Callable[[Thing], Thing]:
    return _unchanged


cclass = cfunc = ccall = inline = final = _unchanged
locals = returns = exceptval = _decorator


def fused_type(*types: object) -> object:
    """Any of the types."""
    return types


def declare(_type: object = None, value: Any = None, **_options: object) -> Any:
    """The value that a typed declaration gives its name."""
    return value


def cast(_type: object, value: Any, **_options: object) -> Any:
    """The value itself: Python's integers need no conversion."""
    return value


int = object  # last, so that nothing above means this one
