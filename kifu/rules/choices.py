"""Rule options that somebody chose, where the sources leave a choice: what `--rules` says.

An option that is not chosen is left to the record (its `$JISHOGI`, its limit of moves), then to the usual reading: an
impasse that both sides agree on is counted by ``agreed24``, a declaration is held to ``declare27``. The three ways of
counting are described in `kifu.rules.impasse`, the readings of repetition in `kifu.rules.repetition`. A reading of
repetition is held only to games of the kinds of shogi that know it; the others keep theirs, and `held` tells so once.
"""
from __future__ import annotations

from functools import lru_cache

from kifu._tuples import NamedTuple
from kifu.rules.impasse import RULES as IMPASSE
from kifu.rules.repetition import RULES as REPETITION
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

OPTIONS = ("impasse", "max-moves", "repetition")
MOST_MOVES = 1_000_000


class Choices(NamedTuple):
    """Chosen options; None where nothing was chosen. ``max_moves`` 0 means that there is no limit, whoever says so."""

    impasse: str | None = None
    max_moves: int | None = None
    repetition: str | None = None

    def repetition_of(self, rules: Ruleset) -> str:
        """The reading of repetition for a kind of shogi: the chosen one where it knows that, else its default.

        >>> from kifu.rules.variants import RULESETS
        >>> choices("fourth-loses").repetition_of(RULESETS["torishogi"]), Choices().repetition_of(RULESETS["torishogi"])
        ('fourth-loses', 'third-barred')
        """
        chosen = self.repetition
        return chosen if chosen in rules.repetition else rules.repetition[0]


def not_known(chosen: Choices, rules: Ruleset) -> str:
    """That a kind of shogi does not know the chosen reading of repetition, as a sentence; "" where it does.

    >>> from kifu.rules.variants import RULESETS
    >>> not_known(choices("fourth-loses"), RULESETS["minishogi"])
    'repetition=fourth-loses is no reading of minishogi, which has fourth and fourth-second-wins'
    >>> not_known(choices("fourth-loses"), RULESETS["torishogi"])
    ''
    """
    if chosen.repetition is None or chosen.repetition in rules.repetition:
        return ""
    *others, last = rules.repetition
    known = f"{', '.join(others)} and {last}" if others else f"{last} alone"
    return f"repetition={chosen.repetition} is no reading of {rules.name}, which has {known}"


@lru_cache(maxsize=256)
def held(text: str, variant: str) -> Choices:
    """The options that a text chooses, for games of a kind of shogi; raises as `choices` does.

    Where the kind does not know the reading of repetition a UserWarning says so, once in a process: its games keep
    their own.
    """
    chosen = choices(text)
    if chosen.repetition is not None and variant in RULESETS:
        rules = RULESETS[variant]
        if said := not_known(chosen, rules):
            from warnings import warn

            warn(f"{said}: its games are held to {rules.repetition[0]}", UserWarning, stacklevel=3)
    return chosen


@lru_cache(maxsize=32)
def choices(text: str | None) -> Choices:
    """The choices in a text such as ``impasse=declare24,max-moves=256``; a way of counting may stand alone,
    and so may a reading of repetition.

    Raises ValueError, with a sentence for people, on anything else.

    >>> choices("declare24"), choices("max-moves=256").max_moves
    (Choices(impasse='declare24', max_moves=None, repetition=None), 256)
    """
    impasse: str | None = None
    repeated: str | None = None
    limit: int | None = None
    for part in (text or "").replace(",", " ").split():
        name, equals, value = part.lower().replace("_", "-").partition("=")
        if not equals and name in IMPASSE:
            name, value = "impasse", name
        if not equals and name in REPETITION:
            name, value = "repetition", name
        if name not in OPTIONS:
            raise ValueError(f"there is no rule option {part!r}; there are impasse={'|'.join(IMPASSE)}, "
                             f"max-moves=N|none and repetition={'|'.join(REPETITION)}")
        if name == "impasse":
            if value not in IMPASSE:
                raise ValueError(f"impasse is {', '.join(IMPASSE[:-1])} or {IMPASSE[-1]}, not {value!r}")
            if impasse not in (None, value):
                raise ValueError("impasse is chosen twice")
            impasse = value
        elif name == "repetition":
            if value not in REPETITION:
                raise ValueError(f"repetition is {', '.join(REPETITION[:-1])} or {REPETITION[-1]}, not {value!r}")
            if repeated not in (None, value):
                raise ValueError("repetition is chosen twice")
            repeated = value
        else:
            digits = value.isascii() and value.isdigit() and len(value) < 8
            if value != "none" and not (digits and 0 < int(value) <= MOST_MOVES):
                raise ValueError(f"max-moves is a number of moves or none, not {value!r}")
            limit = 0 if value == "none" else int(value)
    return Choices(impasse, limit, repeated)
