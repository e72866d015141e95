"""``kifu variants``: the kinds of shogi known, and one of them whole."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from kifu.cli.options import talking
from kifu.cli.talk import Talk

if TYPE_CHECKING:
    from kifu.rules.ruleset import Handicap, Ruleset

_LABEL = 14  # columns in front of what is told


@click.command("variants", short_help="The kinds of shogi known: board, men, rules, handicaps.")
@click.argument("names", metavar="[NAME...]", nargs=-1, required=False)
@click.option("--json", "as_json", is_flag=True, help="All that is known of each, one JSON object a line.")
@talking
def command(names: tuple[str, ...], as_json: bool, talk: Talk) -> int:
    """List the kinds of shogi known, or show those named, by key or name: the start position, how each man goes, when
    it promotes and where it may be dropped, what repetition means, the handicaps and where the rules come from.

    The key is what --variant wants. A kind of shogi is one file of data; kifu/rules/variants/ADDING.md says how one is
    added.

    \b
    Examples:
      kifu variants
      kifu variants torishogi
      kifu variants minishogi "chu shogi" --json
    """
    from kifu.rules.variants import RULESETS

    asked = [_named(name) for name in names] or list(RULESETS)
    for number, key in enumerate(dict.fromkeys(asked)):
        rules = RULESETS[key]
        if as_json:
            from kifu.cli.render import json_line

            talk.out(json_line(row(rules)))
            continue
        if number:
            talk.out("")
        for line in whole(rules) if names else entry(rules):
            talk.out(line)
    if not names and not as_json:
        talk.say("more about one: kifu variants NAME")
    return 0


def _named(name: str) -> str:
    """The key of a kind of shogi by its key or name; a usage error where there is none."""
    from kifu.rules.variants import RULESETS

    if name in RULESETS:
        return name
    wanted = _plain(name)
    for key in RULESETS:
        if wanted in (_plain(key), _plain(RULESETS[key].name), _plain(RULESETS[key].ja)) and wanted:
            return key
    from difflib import get_close_matches

    near = get_close_matches(wanted, RULESETS, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(RULESETS)}."
    raise click.UsageError(f"There is no kind of shogi {name!r}; {hint}")


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


# --- as text

def entry(rules: Ruleset) -> Iterator[str]:
    """A kind of shogi in a few lines."""
    from kifu.rules import words

    yield f"{rules.key}: {_title(rules)}".removesuffix(": ")
    yield from _told("board", [words.board(rules)])
    yield from _told("men", [", ".join(f"{kind.letter} {kind.name}" for kind in rules.kinds)])
    yield from _told("promotion", ["; ".join(words.promotion(rules))])
    yield from _told("drops", ["; ".join(words.drops(rules))])
    yield from _told("repetition", [f"{rules.repetition[0]}: {words.repetition(rules.repetition[0])}"])
    if others := rules.repetition[1:]:
        yield from _told("", [f"or {', '.join(others)}, with --rules"])
    if given := _handicaps(rules):
        yield from _told("handicaps", [", ".join(one.key for one in given)])
    yield from _told("source", [rules.source])


def whole(rules: Ruleset) -> Iterator[str]:
    """All that is known of a kind of shogi."""
    from kifu.draw.text import board_text
    from kifu.rules import words

    yield f"{rules.key}: {_title(rules)}".removesuffix(": ")
    yield from _told("board", [words.board(rules)])
    yield from _told("aim", [words.aim(rules)])
    yield from _told("promotion", words.promotion(rules))
    yield from _told("drops", words.drops(rules))
    yield from _told("repetition", [_repetition(number, name) for number, name in enumerate(rules.repetition)])
    yield from _told("impasse", [words.impasse(rules)])
    yield from _told("lions", words.lions(rules))
    yield from _told("source", [rules.source])
    yield ""
    yield board_text(rules.initial, pieces="letters", variant=rules.key)
    yield ""
    yield "men, and how they go"
    yield from _columns([[rules.letter(piece), *_other_names(rules, piece), name, _count(rules, piece), goes]
                         for piece, name, goes in words.men(rules)])
    given = _handicaps(rules)
    yield ""
    yield "start"
    yield f"  {rules.initial}"
    if given:
        yield ""
        white = all(" w " in one.sfen for one in given)
        yield "handicaps, which White gives and then moves first" if white else "handicaps"
        yield from _columns([[one.key, one.en, one.ja, one.sfen] for one in given])


def _title(rules: Ruleset) -> str:
    """The English and the Japanese name, as far as they say more than the key."""
    name = "" if rules.name == rules.key else rules.name
    return f"{name} ({rules.ja})".lstrip() if rules.ja else name


def _told(label: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines behind a label, folded where they are long; none where there is nothing to tell."""
    from textwrap import wrap

    for line in lines:
        for part in wrap(line, 100 - _LABEL, break_long_words=False, break_on_hyphens=False):
            yield f"  {label:{_LABEL - 2}}{part}"
            label = ""


def _repetition(number: int, name: str) -> str:
    from kifu.rules import words

    return f"{name}: {words.repetition(name)}" if not number else \
        f"or, with --rules repetition={name}: {words.repetition(name)}"


def _other_names(rules: Ruleset, piece: int) -> list[str]:
    """What KIF and western text call a man, where the data say so; the first of several names is the one written."""
    letter = rules.letter(piece)
    return [(names.get(letter, "").split() or [""])[0] for names in (rules.kanji, rules.western)]


def _count(rules: Ruleset, piece: int) -> str:
    """How many of a kind a full set has, told of the plain face where the data say it."""
    many = rules.by_number[piece].men if piece in rules.by_number else 0
    return f"×{many}" if many else ""


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows in columns, those left out in which nothing stands."""
    from kifu.draw.text import width

    kept = [number for number in range(len(rows[0])) if any(row[number] for row in rows)]
    widest = {number: max(width(row[number]) for row in rows) for number in kept}
    for row in rows:
        yield "  " + "  ".join(row[number] + " " * (widest[number] - width(row[number])) for number in kept).rstrip()


def _handicaps(rules: Ruleset) -> list[Handicap]:
    """The handicaps, the even game left out."""
    from kifu.rules.handicaps import of_variant

    return [one for key, one in of_variant(rules.key).items() if key != "even"]


# --- as JSON

def row(rules: Ruleset) -> dict[str, Any]:
    """All that is known of a kind of shogi, for tools."""
    from kifu.rules import words

    return {
        "key": rules.key, "name": rules.name, "ja": rules.ja, "files": rules.files, "ranks": rules.ranks,
        "start": rules.initial, "aim": words.aim(rules), "zone": rules.zone,
        "promotion": {"rule": rules.promotion, "told": words.promotion(rules)},
        "drops": {"rule": rules.drops, "told": words.drops(rules)},
        "repetition": [{"rule": name, "told": words.repetition(name)} for name in rules.repetition],
        "impasse": "impasse" in rules.options, "lions": words.lions(rules),
        "men": [{"letter": rules.letter(piece), "name": name,
                 "kanji": _other_names(rules, piece)[0] or None, "western": _other_names(rules, piece)[1] or None,
                 "count": rules.by_number[piece].men if piece in rules.by_number else None, "goes": goes}
                for piece, name, goes in words.men(rules)],
        "handicaps": [{"key": one.key, "en": one.en, "ja": one.ja, "sfen": one.sfen} for one in _handicaps(rules)],
        "source": rules.source,
    }
