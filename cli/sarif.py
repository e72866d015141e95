"""Findings as SARIF 2.1.0, the format of static analysis that code hosts and editors read: one document a run.

It is written as it comes: the head with all rules, one result a line, the tail. Sections are those of the standard
(https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). What is decided here:

- Files are URIs relative to ``%SRCROOT%``, the folder in which kifu was started (3.14.14), absolute ones where they
  are not below it.
- A member of an archive is told by the URI of the archive and a logical location that names the member. It has no
  region, since lines and columns count in the member; they stand in the message. SARIF's own way, an array of nested
  artifacts (3.24.3), would have to be kept until the end of the run.
- An entry of a binary notation has a region of bytes.
- A finding's fingerprint is made of its code, ply and text, not of its line: it stays when the file grows above it.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, quote_from_bytes

from kifu.cli.places import from_here, region, within
from kifu.cli.render import json_line
from kifu.cli.reports import NUMBER

from kifu.diagnostics import RULES, Rule

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.pipeline import Entry

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
#: Characters of a line that are quoted; longer ones are left to the reader's own copy of the file.
LONGEST = 400
#: Troubles that the tail names; more of them are counted.
MOST_TROUBLES = 100
_INDEX = {name: index for index, name in enumerate(RULES)}


class Sarif:
    """One document, a result for each finding."""

    every_game: ClassVar[bool] = False
    for_people: ClassVar[bool] = False
    summarised: ClassVar[bool] = True

    def game(self, entry: Entry) -> str:
        return "\n,".join(result(entry, found) for found in entry.findings)

    def head(self) -> str:
        from kifu import __version__

        rules = ",\n".join(json_line(described(rule)) for rule in RULES.values())
        return (f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{\n'
                f'"tool": {{"driver": {{"name": "kifu", "semanticVersion": "{__version__}", "rules": [\n'
                f'{rules}\n]}}}},\n'
                f'"columnKind": "unicodeCodePoints",\n"results": [')

    def joined(self, text: str, first: bool) -> str:
        return text if first else f",{text}"

    def tail(self, status: int, troubles: Sequence[str]) -> str:
        told = [{"level": "error", "message": {"text": trouble}} for trouble in troubles[:MOST_TROUBLES]]
        if len(troubles) > MOST_TROUBLES:
            told.append({"level": "error", "message": {"text": f"{len(troubles) - MOST_TROUBLES} more"}})
        invocation = {"executionSuccessful": status in (0, 1), "exitCode": status,
                      "toolExecutionNotifications": told}
        return f'],\n"invocations": [{json_line(invocation)}]\n}}]}}'


def described(rule: Rule) -> dict[str, Any]:
    """A rule as the tool's head lists it (3.49)."""
    sentence = re.sub(r"\{(\w+)\}", r"‹\1›", rule.pattern)
    hint = re.sub(r"\{(\w+)\}", r"‹\1›", rule.hint)
    return {"id": rule.code, "name": rule.name, "shortDescription": {"text": rule.name.replace("-", " ")},
            "fullDescription": {"text": sentence},
            "help": {"text": f"{hint or sentence}. kifu explain {rule.code} says more."},
            "defaultConfiguration": {"level": rule.severity}}


def result(entry: Entry, found: Diagnostic) -> str:
    """A finding as SARIF has it (3.27), as JSON."""
    place = within(entry, found)
    message = f"{place}: {found.message}" if place else found.message
    source = region(entry, found)
    physical: dict[str, Any] = {"artifactLocation": artifact(entry.source.path)}
    if source is not None:
        span: dict[str, Any] = {"startLine": source.line, "startColumn": source.column, "endColumn": source.end}
        if source.text and len(source.text) <= LONGEST:
            span["snippet"] = {"text": source.text}
        physical["region"] = span
        if source.whole_line and len(source.whole_line) <= LONGEST:
            physical["contextRegion"] = {"startLine": source.line, "snippet": {"text": source.whole_line}}
    elif not entry.decoded.encoding and entry.game is not None and entry.source.member is None:
        from kifu.notation import entry_size

        physical["region"] = {"byteOffset": entry.base, "byteLength": entry_size(entry.game.record.notation)}
    told = json_line({
        "ruleId": found.code, "ruleIndex": _INDEX[found.name], "level": found.severity,
        "message": {"text": f"{message} ({found.hint})" if found.hint else message},
        "partialFingerprints": {"kifuFinding/v1": fingerprint(found, source.text if source else place)},
    })
    return (f'{told[:-1]}, "locations": [{{"physicalLocation": {json_line(physical)}, '
            f'"logicalLocations": [{logical(entry, found)}]}}]}}')


def artifact(path: str) -> dict[str, Any]:
    """The file of a finding (3.4).

    >>> artifact("games/二枚 落ち.kif")["uri"]
    'games/%E4%BA%8C%E6%9E%9A%20%E8%90%BD%E3%81%A1.kif'
    """
    from os import fsencode

    if path == "-":
        return {"uri": "-", "description": {"text": "standard input"}}
    path = from_here(path)
    uri = quote_from_bytes(fsencode(path))  # a name in no encoding keeps its bytes
    if path.startswith("/"):
        return {"uri": f"file://{uri}"}
    if path[1:3] == ":/":
        return {"uri": f"file:///{quote(path, safe='/:')}"}
    first = uri.partition("/")[0]
    return {"uri": f"./{uri}" if ":" in first else uri, "uriBaseId": ROOT}


def logical(entry: Entry, found: Diagnostic) -> str:
    """The game and move of a finding, and the member of an archive that they stand in (3.33), as JSON."""
    from kifu.pipeline.names import shown

    game = f"game {NUMBER}"
    path = [game] if entry.source.member is None else [shown(entry.source.member), game]
    if found.ply is not None:
        path.append(f"move {found.ply}")
    told = json_line({"name": path[-1], "fullyQualifiedName": "/".join(path),
                      "kind": "game" if path[-1] == game else "move"})
    return told.replace("\\u0000", NUMBER)  # as JSON has it


def fingerprint(found: Diagnostic, text: str) -> str:
    """What stays the same of a finding when its line moves (3.27.17)."""
    from hashlib import sha256

    words = f"{found.code}\0{found.ply}\0{text or found.message}"
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32]
