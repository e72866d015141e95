"""`NamedTuple`, made without a look at its annotations.

`typing.NamedTuple` compiles every annotation that is a string, as all are under ``from __future__ import annotations``:
with the hundred fields of this package a tenth of the time of a start. For type checkers this is `typing.NamedTuple`.

>>> class Point(NamedTuple):
...     x: int
...     y: int = 0
...     def moved(self) -> Point:
...         return self._replace(x=self.x + 1)
>>> Point(1).moved()
Point(x=2, y=0)
"""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        """Turns the body of a class below `NamedTuple` into a named tuple."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            if any(field in body for field in list(fields)[:len(fields) - len(defaults)]):
                raise TypeError(f"{name}: a field without a default stands behind one that has it")
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__annotations__ = dict(fields)
            for key, value in body.items():
                if key not in fields and key not in ("__module__", "__annotations__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The base of named tuples; what comes of it does not inherit from it."""
