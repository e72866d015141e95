"""The pages of the diagnostics: a Markdown file for each code, and what the table of rules adds to it.

A page in ``kifu/pages`` holds what a person wrote: the text below its title says what the finding means, the sections
why it is one, where its tolerance comes from, what to do, and the smallest records with it and without. Severities,
sentence and hint come from `kifu.diagnostics.RULES` when a page is shown, so that the two cannot differ.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from kifu._tuples import NamedTuple
from kifu.diagnostics import KINDS, Rule

#: The sections of a page in their order, by the keys that ``kifu explain --json`` has for them.
SECTIONS = {
    "why": "Why it is a finding", "source": "Where it comes from", "remedy": "What to do",
    "triggers": "A record that triggers it", "fine": "A record that does not",
}
_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)


class Page(NamedTuple):
    """The page of a rule: what the finding means, and its `SECTIONS` by key."""

    rule: Rule
    means: str
    sections: dict[str, str]

    def markdown(self) -> str:
        """The whole page, with what the table says of the rule below the title."""
        parts = [f"# {self.rule.code} {self.rule.name}\n\n{facts(self.rule)}\n\n{self.means}"]
        parts += [f"## {title}\n\n{self.sections[key]}" for key, title in SECTIONS.items()]
        return "\n\n".join(parts) + "\n"

    def row(self) -> dict[str, Any]:
        """The page as an object for tools."""
        rule = self.rule
        return {"code": rule.code, "name": rule.name, "kind": rule.kind, "severity": rule.severities,
                "sentence": rule.pattern, "hint": rule.hint, "means": self.means, **self.sections}


def page(rule: Rule) -> Page:
    """The page of a rule."""
    return parse(rule, (files("kifu") / "pages" / f"{rule.code}-{rule.name}.md").read_text(encoding="utf-8"))


def parse(rule: Rule, text: str) -> Page:
    """The page in the text of its file.

    Raises `ValueError` where it is not titled by the rule's code and name or has other sections than `SECTIONS`.
    """
    title, _, body = text.partition("\n")
    means, *rest = _SECTION.split(body)
    if title != f"# {rule.code} {rule.name}" or rest[::2] != list(SECTIONS.values()):
        raise ValueError(f"this is no page of {rule.code} {rule.name}: {title!r} with {rest[::2]}")
    return Page(rule, means.strip(), dict(zip(SECTIONS, (part.strip() for part in rest[1::2]), strict=True)))


def facts(rule: Rule) -> str:
    """What the table says of a rule, as a list.

    >>> from kifu.diagnostics import RULES
    >>> print(facts(RULES["number-jump"]))
    - kind: the shape of a record
    - severity: default warning, strict error, salvage warning
    - says: `move number {number} stands where {expected} is due`
    - hint: `a line may be missing`
    """
    severity = ", ".join(f"{mode} {found or 'not looked for'}" for mode, found in rule.severities.items())
    lines = [f"- kind: {rule.kind}", f"- severity: {severity}", f"- says: `{rule.pattern}`"]
    if rule.hint:
        lines.append(f"- hint: `{rule.hint}`")
    return "\n".join(lines)


def by_kind(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """Rules by the beginning of their codes, all in the order of codes."""
    groups: dict[str, list[Rule]] = {}
    for rule in sorted(rules):
        groups.setdefault(rule.code[:2], []).append(rule)
    return groups


def index(rules: Iterable[Rule]) -> str:
    """Rules by kind, one a line with its severity in default mode.

    >>> from kifu.diagnostics import RULES
    >>> print(index([RULES["nifu"], RULES["clock-total"]]))
    K4: moves
      K404 nifu                     error
    <BLANKLINE>
    K6: ends, results and clocks
      K630 clock-total              error, with --strict only
    """
    blocks = []
    for group, some in by_kind(rules).items():
        lines = [f"{group}: {KINDS[group]}"]
        for rule in some:
            said = f"{rule.severities[rule.only]}, with --{rule.only} only" if rule.only else rule.severity
            lines.append(f"  {rule.code} {rule.name:<24} {said}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def book(rules: Iterable[Rule]) -> str:
    """One Markdown document of the pages of rules, with an index by kind that leads to them."""
    groups = by_kind(rules)
    parts = ["# Diagnostics of kifu\n"]
    for group, some in groups.items():
        parts.append(f"\n- **{group}: {KINDS[group]}**\n")
        parts += [f"  - [{rule.code}](#{rule.code}) {rule.name}\n" for rule in some]
    for group, some in groups.items():
        parts.append(f"\n# {group}: {KINDS[group]}\n")
        for rule in some:
            parts.append(f'\n<a id="{rule.code}"></a>\n\n{_lowered(page(rule).markdown())}')
    return "".join(parts)


def _lowered(text: str) -> str:
    """A page whose headings stand one level lower; lines of records are no headings."""
    fenced, lines = False, []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        lines.append(f"#{line}\n" if line.startswith("#") and not fenced else f"{line}\n")
    return "".join(lines)
