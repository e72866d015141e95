"""What the compiled modules need of ``cython`` when they run interpreted and Cython is not installed.

With ``from __future__ import annotations`` no type is ever evaluated, so only the decorators and functions are needed.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Thing = TypeVar("Thing")

compiled = False


def _unchanged(thing: Thing) -> Thing:
    return thing


def _decorator(*_args: object, **_types: object) -> Callable[[Thing], Thing]:
    return _unchanged


cclass = cfunc = ccall = inline = final = _unchanged
locals = returns = exceptval = _decorator


def declare(_type: object = None, value: Any = None, **_options: object) -> Any:
    """The value that a typed declaration gives its name."""
    return value


def cast(_type: object, value: Any, **_options: object) -> Any:
    """The value itself: Python's integers need no conversion."""
    return value
