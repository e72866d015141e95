"""The kinds of shogi known, by key. One module a kind; each is data only and is imported when it is first asked for.

>>> RULESETS["shogi"].files
9
>>> "minishogi" in RULESETS, "chess" in RULESETS
(True, False)
"""
from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from kifu.rules.ruleset import Ruleset

#: The modules of this folder, in the order in which they are listed to people; each holds its data as ``RULES``.
MODULES = ("shogi", "minishogi", "micro", "judkins", "gorogoro", "gorogoroplus", "kyotoshogi", "torishogi",
           "cannonshogi", "chushogi")


class _Rulesets(MutableMapping[str, Ruleset]):
    """Key -> ruleset. Every key is known from the start, a ruleset once it was looked up."""

    def __init__(self) -> None:
        self._known: dict[str, Ruleset | None] = dict.fromkeys(MODULES)

    def __getitem__(self, key: str) -> Ruleset:
        rules = self._known[key]
        if rules is None:
            rules = self._known[key] = import_module(f"{__name__}.{key}").RULES
        return rules

    def __setitem__(self, key: str, rules: Ruleset) -> None:
        self._known[key] = rules

    def __delitem__(self, key: str) -> None:
        del self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


RULESETS: MutableMapping[str, Ruleset] = _Rulesets()
