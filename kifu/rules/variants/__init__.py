"""The kinds of shogi known, by key. One module a kind; each is data only.

>>> RULESETS["shogi"].files
9
"""
from __future__ import annotations

from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import shogi

RULESETS: dict[str, Ruleset] = {rules.key: rules for rules in (shogi.RULES,)}
