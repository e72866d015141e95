"""``python -m tests.bench.stages``: where the time of a game goes, by stage of the road.

    decode          bytes to text: which encoding, which line ends
    scan and parse  text to the tape of tokens and reductions (`kifu.grammar`)
    assemble        tape to packed move texts, comments and items
    build           items to records: headers, boards, ends, lines of play
    prove           move texts to legal moves, the whole main line (`Position.replay`)
    referee         the claims of the record against its moves (`kifu.referee`); below the sum stands how much longer a
                    game takes to read and prove with it than without it
    judge           the rest of a replay: start position, branches, ends, findings
    write           a proven game to its own notation

Stages are timed by their own calls, one after the other on the same games. What only runs inside another call is the
difference of two. CPU time, the fastest of several rounds. A stage by itself is quicker than between the others, whose
code and tables drive its own out of the processor's caches.
"""
from __future__ import annotations

import argparse
import json
import time
from array import array
from collections.abc import Callable

from kifu import referee
from kifu.notation import assemble, read, reader, writer
from kifu.record import Record
from kifu.replay import replay
from kifu.rules.position import Position
from kifu.text import decode
from tests.bench import games, measure
from tests.bench.corpus import joined
from tests.bench.table import text_table

NOTATIONS = ("csa", "kif", "usi", "western")
WITH = "with / without referee"
STAGES = ("decode", "scan and parse", "assemble", "build", "prove", "referee", "judge", "write", WITH)


def corpus(count: int, seed: int = 1) -> dict[str, list[str]]:
    """Games by notation, a text each, the same ones in all."""
    drawn = [games.draw(seed, number) for number in range(count)]
    csa = [games.csa(game) for game in drawn]
    return {"csa": csa, "usi": [games.usi(game) for game in drawn],
            **{notation: games.converted(csa, notation) for notation in ("kif", "western")}}


def stages(texts: list[str], notation: str, count: int, rounds: int) -> dict[str, float]:
    """Microseconds a game that each stage takes; ``texts`` hold ``count`` games together."""
    data = [text.encode("utf-8") for text in texts]
    machine, actions = reader(notation).prepare()
    records = [record for text in texts for record in read(text, notation)]
    proven = [replay(record) for record in records]
    if len(records) != count or any(game.verdict != "legal" for game in proven):
        raise AssertionError(f"{notation}: {len(records)} games, not all of them legal")
    fastest = dict.fromkeys(("decode", "parse", "read", "assemble", "prove", "replay", "plain", "write"),
                            float("inf"))

    def note(stage: str, spent: float) -> None:
        fastest[stage] = min(fastest[stage], spent)

    for number in range(rounds + 1):
        started = [(record, Position(record.start)) for record in records]
        times = {
            "decode": _spent(lambda: [decode(one) for one in data]),
            "parse": _spent(lambda: [machine.parse(text) for text in texts]),
            "read": _spent(lambda: [list(read(text, notation)) for text in texts]),
            "prove": _spent(lambda started=started: _prove(started)),  # type: ignore[misc]
            "replay": _spent(lambda: [replay(record) for record in records]),
            "plain": _without_referee(records),
            "write": _spent(lambda: [writer(notation).write(game) for game in proven]),
            "assemble": _spent(lambda: [assemble.read(machine, text, actions) for text in texts]),
        }
        if number:  # the first round warms up
            for stage, spent in times.items():
                note(stage, spent)
    per_game = {stage: spent / count * 1e6 for stage, spent in fastest.items()}
    return {
        "decode": per_game["decode"], "scan and parse": per_game["parse"],
        "assemble": per_game["assemble"] - per_game["parse"],
        "build": per_game["read"] - per_game["assemble"], "prove": per_game["prove"],
        "referee": per_game["replay"] - per_game["plain"], "judge": per_game["plain"] - per_game["prove"],
        "write": per_game["write"],
        WITH: (per_game["read"] + per_game["replay"]) / (per_game["read"] + per_game["plain"]),
    }


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _without_referee(records: list[Record]) -> float:
    """CPU seconds to replay all records when nobody looks at their claims."""
    original = referee.examine
    referee.examine = lambda game, chosen, crowded: []
    try:
        return _spent(lambda: [replay(record) for record in records])
    finally:
        referee.examine = original


def _prove(started: list[tuple[Record, Position]]) -> None:
    for record, position in started:
        last = record.lines[0].last
        keys = array("q", bytes(8 * (last + 1)))
        keys[0] = position.key()
        if position.replay(record.texts, 0, last, array("q", [-1]) * len(record.texts), keys, []) != last:
            raise AssertionError("a game of the corpus is not legal")


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table, or JSON."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.stages", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("notations", nargs="*", metavar="NOTATION", help=f"of {', '.join(NOTATIONS)}; all by default")
    options.add_argument("--games", type=int, default=200, help="games of each notation (default 200)")
    options.add_argument("--rounds", type=int, default=7, help="rounds, of which the fastest counts (default 7)")
    options.add_argument("--one-call", action="store_true", help="all games as one text instead of a game a call")
    options.add_argument("--json", action="store_true", help="print JSON")
    chosen = options.parse_args(arguments)
    if unknown := set(chosen.notations) - set(NOTATIONS):
        options.error(f"no notation is called {', '.join(sorted(unknown))}")
    found = {}
    texts = corpus(chosen.games)
    for notation in chosen.notations or NOTATIONS:
        given = [joined(texts[notation], notation)] if chosen.one_call else texts[notation]
        found[notation] = stages(given, notation, chosen.games, chosen.rounds)
    about = {**measure.about(), "games": str(chosen.games), "texts": "one" if chosen.one_call else "a game each"}
    if chosen.json:
        print(json.dumps({"about": about, "unit": "µs a game", "stages": found}, indent=1, ensure_ascii=False))
    else:
        print(f"{measure.told(about)}; {chosen.games} games, "
              f"{'all in one text' if chosen.one_call else 'a game a call'}; µs a game, share of reading and proving")
        print(shown(found))


def shown(found: dict[str, dict[str, float]]) -> str:
    """The table: stages down, notations across; writing stands below the sum, since a check writes nothing."""
    rows = []
    apart = ("write", WITH)
    sums = {notation: sum(value for stage, value in per.items() if stage not in apart) for notation, per in found.items()}
    for stage in (one for one in STAGES if one not in apart):
        rows.append([stage, *(f"{per[stage]:8.1f} {per[stage] / sums[notation]:4.0%}" for notation, per in found.items())])
    rows.append(["together", *(f"{total:8.1f} 100%" for total in sums.values())])
    rows.append(["games a second", *(f"{1e6 / total:8,.0f}     " for total in sums.values())])
    rows.append([WITH, *(f"{per[WITH]:8.2f}     " for per in found.values())])
    rows.append(["write", *(f"{per['write']:8.1f}     " for per in found.values())])
    return text_table(["stage", *found], rows)


if __name__ == "__main__":
    main()
