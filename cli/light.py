"""A light start: what click imports and this program hardly ever needs is loaded when it is needed.

A third of the time of ``import click`` goes into three modules of which an ordinary run uses next to nothing. Before
click is imported a stand-in takes the name of each. It answers what is asked in every run, and becomes the real module
as soon as anything else is asked of it.

==========  ==============================  ============================================================================
inspect     `cleandoc`, for help texts,     loads ast, dis and tokenize
            and `isfunction`, for defaults
platform    `system`, for ``uuid``          compiles regular expressions for systems that this one is not
gettext     `gettext` and `ngettext`        loads locale and looks for catalogues called "messages"; click has none, and
                                            what kifu says is English whoever left one somewhere
numpy       nothing                         pyarrow looks for it, takes more than twice as long to start with it, and is
                                            never asked here for what needs it
==========  ==============================  ============================================================================
"""
from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any


class StandIn(ModuleType):
    """Stands for a module until more is wanted of it than ``answers`` has.

    >>> module = StandIn("string", upper=str.upper)
    >>> module.upper("a"), module.digits
    ('A', '0123456789')
    """

    def __init__(self, name: str, **answers: Callable[..., Any]) -> None:
        super().__init__(name)
        self.__dict__.update(answers)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by the import system, which must not be told of a file
            raise AttributeError(name)
        own = self.__name__
        if sys.modules.get(own) is self:
            del sys.modules[own]
        real = import_module(own)
        self.__dict__.update(vars(real))
        return getattr(real, name)


def lighten() -> None:
    """Put the stand-ins in place, unless the real modules are there already, and look for garbage less often.

    What is imported stays, and a game leaves no cycles behind: looking for them after every 700 objects is a tenth of
    a start.
    """
    gc.set_threshold(20_000, 20, 20)
    for module in (
        StandIn("inspect", cleandoc=cleandoc, isfunction=lambda thing: isinstance(thing, FunctionType)),
        StandIn("gettext", gettext=str, ngettext=_number),
        StandIn("platform", **({"system": lambda: os.uname().sysname} if hasattr(os, "uname") else {})),
    ):
        sys.modules.setdefault(module.__name__, module)
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # as if it were not installed


def leave() -> None:
    """The program ends: spare Python's search for garbage among all that was imported, a twentieth of a short run.

    Not where a database was open, whose objects may be left in cycles and have files to close.
    """
    if "kifu.store" not in sys.modules:
        gc.freeze()


def cleandoc(text: str) -> str:
    """A docstring without its indentation, as `inspect.cleandoc` gives it.

    >>> cleandoc("One.\\n\\n      Two.\\n        Three.\\n    ")
    'One.\\n\\nTwo.\\n  Three.'
    """
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    lines = [first.lstrip(), *(line[margin:] for line in rest)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(lines)


def _number(one: str, many: str, count: int) -> str:
    return one if count == 1 else many
