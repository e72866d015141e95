"""``kifu explain``: what a finding means, where it comes from and what to do about it."""
from __future__ import annotations

from typing import TYPE_CHECKING

import click
from kifu.cli.options import FindingNames, talking
from kifu.cli.talk import Talk

if TYPE_CHECKING:
    from kifu.diagnostics import Rule

#: The widest that prose is easy to read at.
WIDEST = 100


@click.command("explain", short_help="What a finding means and what to do about it.")
@click.argument("codes", metavar="[CODE...]", nargs=-1, required=False)
@click.option("--all", "whole", is_flag=True, help="All pages, or those of the groups named, as one Markdown document.")
@click.option("--json", "as_json", is_flag=True, help="The table with its pages, one JSON object a line.")
@talking
def command(codes: tuple[str, ...], whole: bool, as_json: bool, talk: Talk) -> int:
    """Explain findings, named by code (K501) or name (number-jump): what each means for the game, why it is one, which
    programs and archives write so, what to do, and the smallest records with it and without.

    The beginning of a code lists a group; without CODE all findings are listed by kind, with the severity that they
    have by default.

    \b
    Examples:
      kifu explain K501
      kifu explain nifu uchifuzume
      kifu explain K6
      kifu explain --all > diagnostics.md; cat diagnostics.md
      kifu explain K4 --json
    """
    from kifu.cli.pages import book, index, page
    from kifu.diagnostics import RULES

    asked = FindingNames().convert(" ".join(codes), None, None)
    exact = {rule.code: rule for rule in RULES.values()} | RULES
    named = [exact[one] for one in asked if one in exact]
    groups = [rule for rule in RULES.values() for one in asked if one not in exact and rule.code.startswith(one)]
    rules = list(dict.fromkeys(named + groups)) if asked else list(RULES.values())
    if as_json:
        from kifu.cli.render import json_line

        for rule in sorted(rules):
            talk.out(json_line(page(rule).row()))
    elif whole:
        talk.out(book(rules), end="")
    else:
        for number, rule in enumerate(dict.fromkeys(named)):
            if number:
                talk.out("")
            _show(rule, talk)
        if groups or not named:
            talk.out(("\n" if named else "") + index(groups or rules))
            talk.say("more about one: kifu explain CODE")
    return 0


def _show(rule: Rule, talk: Talk) -> None:
    """A page: laid out for a terminal, as its Markdown elsewhere."""
    from kifu.cli.pages import page

    text = page(rule).markdown()
    if not talk.color:
        talk.out(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(soft_wrap=False)
    console.print(Markdown(text, code_theme="bw"), width=min(console.width, WIDEST))
