"""The kinds of shogi known, by key. One module a kind; each is data only and is imported when it is first asked for.

>>> RULESETS["shogi"].files
9
>>> "minishogi" in RULESETS, "chess" in RULESETS
(True, False)
"""
from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from threading import RLock

from kifu.rules.ruleset import Ruleset

#: The modules of this folder, in the order in which they are listed to people; each holds its data as ``RULES``.
MODULES = ("shogi", "minishogi", "micro", "judkins", "gorogoro", "gorogoroplus", "kyotoshogi", "torishogi",
           "cannonshogi", "chushogi")

#: The entry point group under which other packages name their rulesets.
GROUP = "kifu.variants"


def _offered() -> bool:
    """Whether some package on the path names the group: `importlib.metadata` costs more than this look to import."""
    import os
    import sys

    for folder in sys.path:
        try:
            names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
        except OSError:  # no folder
            continue
        for name in names:
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    if GROUP.encode() in file.read():
                        return True
            except OSError:  # it has none
                continue
    return False


class _Rulesets(MutableMapping[str, Ruleset]):
    """Key -> ruleset. Our own keys are known from the start, a ruleset of ours once it was looked up.

    Those of other packages (see `kifu.rules.register`) are looked for once, when a key is asked for that is none of
    ours, or all are.
    """

    def __init__(self) -> None:
        self._known: dict[str, Ruleset | None] = dict.fromkeys(MODULES)
        self._looked = False
        self._looking = RLock()  # whoever asks meanwhile waits; what is asked within by the same thread goes through
        self._within = False

    def __getitem__(self, key: str) -> Ruleset:
        if key not in self._known:
            self._look()
        rules = self._known[key]
        if rules is None:
            rules = self._known[key] = import_module(f"{__name__}.{key}").RULES
        return rules

    def _look(self) -> None:
        """Learn what other packages have; what is wrong with one is told as a warning, and it is left out."""
        if self._looked:
            return
        with self._looking:
            if not self._looked and not self._within:
                self._within = True
                try:
                    self._learn()
                finally:
                    self._looked, self._within = True, False

    def _learn(self) -> None:
        if not _offered():
            return
        from importlib.metadata import entry_points

        for entry in entry_points(group=GROUP):
            from kifu.rules.register import register

            try:
                rules = entry.load()
                if not isinstance(rules, Ruleset):
                    raise TypeError(f"{entry.value} is a {type(rules).__name__}, not a Ruleset")
                register(rules)
            except (Exception, SystemExit) as error:  # whatever the import of somebody else's module raises
                from warnings import warn

                warn(f"the entry point {entry.name!r} of {GROUP} is left out: {error}", RuntimeWarning, stacklevel=2)

    def __setitem__(self, key: str, rules: Ruleset) -> None:
        self._known[key] = rules

    def __delitem__(self, key: str) -> None:
        del self._known[key]

    def __contains__(self, key: object) -> bool:
        if key in self._known:
            return True
        self._look()
        return key in self._known

    def __iter__(self) -> Iterator[str]:
        self._look()
        return iter(tuple(self._known))

    def __len__(self) -> int:
        self._look()
        return len(self._known)


RULESETS: MutableMapping[str, Ruleset] = _Rulesets()
