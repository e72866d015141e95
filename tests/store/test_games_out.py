"""Games out of a database: what it holds arrives, what it does not hold is counted, what is damaged is refused."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import written_games
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kifu
from kifu.notation import writer
from kifu.notation.writing import UnwritableError
from kifu.store.chosen import NoGameIds, choose
from kifu.store.database import Database
from kifu.store.errors import QueryError
from kifu.store.games_out import DamagedRow, rebuild

Rows = list[tuple[Any, ...]]


def written(path: Path, notation: str) -> tuple[list[str], Counter[str]]:
    """All games of a database in a notation, and what was lost."""
    texts, losses = [], Counter[str]()
    with Database.open(path) as database:
        for one in rebuild(database, choose(database)):
            assert not isinstance(one, DamagedRow), one
            using = writer(notation)
            if not using.can_hold(one.game.variant):
                with pytest.raises(UnwritableError):
                    using.held(one.game)
                continue
            texts.append(using.write(one.game))
            losses += using.losses + Counter(one.losses)
    return texts, losses


def there_and_back(path: Path, notation: str) -> tuple[Rows, Rows, Counter[str]]:
    """The rows of a database, those of one made from its games in a notation, and what was lost on the way."""
    texts, losses = written(path, notation)
    back = written_games.load(path.with_name(f"back-{notation}.duckdb"), [(text, notation) for text in texts])
    held = [row for row in written_games.rows(path) if writer(notation).can_hold(row[written_games.KEPT.index("variant")])]
    return held, written_games.rows(back), losses


def differences(before: Rows, after: Rows) -> Iterator[tuple[str, Any, Any, tuple[Any, ...]]]:
    """Columns that changed, with the row they stand in."""
    assert len(before) == len(after)
    for row, other in zip(before, after, strict=True):
        for name, one, two in zip(written_games.KEPT, row, other, strict=True):
            if one != two:
                yield name, one, two, row


@pytest.mark.parametrize("notation", ["csa", "kif"])
def test_generated_games(tmp_path: Path, notation: str) -> None:
    """Load, export, load: the same rows, to the last second and comment."""
    path = written_games.load(tmp_path / "games.duckdb", [(text, "csa") for text in written_games.games(80, seed=11, plies=60)])
    before, after, losses = there_and_back(path, notation)
    assert list(differences(before, after)) == []
    assert losses == {}
    assert {row[written_games.KEPT.index('"end"')] for row in before} >= {"resign", "timeout", "repetition", "interrupted", None}


_NAMES = st.text(st.characters(codec="cp932", exclude_categories=("Cc", "Zs", "Zl", "Zp"), exclude_characters="¢£¬‖−〜"), min_size=1, max_size=12)
_COMMENTS = st.lists(_NAMES, min_size=1, max_size=3).map("\n".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30), names=st.tuples(_NAMES, _NAMES, _NAMES, _NAMES),
       comments=st.dictionaries(st.integers(0, 20), _COMMENTS), notation=st.sampled_from(["csa", "kif", "jkf", "psn"]))
def test_any_headers_and_comments(tmp_path: Path, seed: int, names: tuple[str, ...], comments: dict[int, str],
                                  notation: str) -> None:
    """What stands in the columns of a row comes back, whatever it is; the same text means the same in all notations."""
    for found in tmp_path.iterdir():
        found.unlink()
    path = written_games.load(tmp_path / "games.duckdb", [(written_games.game(random.Random(seed), 20), "csa")])
    with Database.open(path, write=True) as database:
        plies = database.value("SELECT plies FROM games")
        told = [comments.get(place) for place in range(plies + 1)]
        while told and told[-1] is None:
            told.pop()
        database.run("UPDATE games SET black = $1, white = $2, event = $3, site = $4, comments = $5, black_rating = NULL",
                     [*names, told or None])
    before, after, losses = there_and_back(path, notation)
    if not losses:
        for name, one, two, _ in differences(before, after):
            # texts that a notation cannot tell from its own marks: `'*` of CSA, `&` of KIF, blanks at an edge
            assert name == "comments", (name, one, two)
            assert squeezed(one) == squeezed(two)


def squeezed(comments: Sequence[str | None] | None) -> list[str]:
    return ["".join(char for char in text if char.isalnum()) for text in comments or () if text]


@pytest.fixture(scope="module")
def samples_database(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded(samples, tmp_path_factory.mktemp("samples") / "games.duckdb")


def loaded(folder: Path, path: Path) -> Path:
    """A database of all legal games of a folder."""
    from kifu.pipeline.rows import ToRows, joined
    from kifu.store.loader import Loader

    from kifu.pipeline import Failure, Options, find, run

    with Loader(path, "none") as loader:
        for rows in joined(run(find([str(folder)], []), ToRows(Options()), jobs=1)):
            assert not isinstance(rows, Failure)
            loader.append(rows)
            if loader.full:
                loader.commit_batch()
        loader.finish()
    return path


@pytest.mark.parametrize("notation", ["csa", "kif"])
def test_sample_games(samples_database: Path, notation: str) -> None:
    """Of the sample games one comment changes: the line ends in it."""
    before, after, losses = there_and_back(samples_database, notation)
    assert set(losses) <= {"number of the first move"}
    for name, one, two, _ in differences(before, after):
        assert name == "comments"
        assert [text and text.replace("\r\n", "\n") for text in one] == two


@pytest.fixture(scope="module")
def corpus_database(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loaded(shared / "corpus", tmp_path_factory.mktemp("corpus") / "games.duckdb")


@pytest.mark.parametrize("notation", ["csa", "kif"])
def test_corpus(corpus_database: Path, notation: str) -> None:
    """Every legal game of real files. What changes is counted as lost, or is a comment that the writer adds to say more:
    the words of an end that it has no word for, and evaluations in the form of CSA."""
    before, after, losses = there_and_back(corpus_database, notation)
    assert len(before) > 2000
    assert set(losses) <= {"number of the first move", "end"}
    changed: Counter[str] = Counter()
    for name, one, two, row in differences(before, after):
        changed[name] += 1
        if name == "comments":
            assert squeezed_in(one, two)
        elif name in ("date", "date_precision"):  # read out of the event where the record has a time, but no day
            assert one is None
            assert "20260805" in row[written_games.KEPT.index("event")]
        else:
            assert name in ('"end"', "result"), (name, one, two)
    assert changed['"end"'] <= losses["end"]
    assert changed["result"] <= losses["end"]


def squeezed_in(before: Sequence[str | None] | None, after: Sequence[str | None]) -> bool:
    """Whether all comments are in the later ones, at their places."""
    return all(text is None or (place < len(after) and text.replace("\r\n", "\n") in (after[place] or ""))
               for place, text in enumerate(before or ()))


def test_a_foul(tmp_path: Path) -> None:
    """The illegal move that ended a game comes back, and with it the end, the offender and the rule."""
    text = "PI\n+\n+7776FU\n-3334FU\n+8811UM\n%+ILLEGAL_ACTION\n"
    path = written_games.load(tmp_path / "games.duckdb", [(text, "csa")])
    before, after, losses = there_and_back(path, "kif")
    assert before == after
    assert losses == {}
    named = dict(zip(written_games.KEPT, before[0], strict=True))
    assert (named["plies"], named["illegal_move"], named["illegal_reason"], named["result"]) == (2, "8h1a+", "blocked", -1)


def test_a_foul_that_is_not_known_as_a_move(tmp_path: Path) -> None:
    path = written_games.load(tmp_path / "games.duckdb", [("PI\n+\n+7776FU\n-3334FU\n+8811UM\n%+ILLEGAL_ACTION\n", "csa")])
    with Database.open(path, write=True) as database:
        database.run("UPDATE games SET illegal_move = '☗１一馬'")
    texts, losses = written(path, "csa")
    assert losses == {"illegal final move": 1}
    assert texts[0].splitlines()[-2:] == ["-3334FU", "%ILLEGAL_MOVE"]


def test_handicaps_and_starts(tmp_path: Path) -> None:
    """A handicap keeps its name, another position its men and the number of its first move."""
    texts = [("手合割：二枚落ち\n下手：a\n上手：b\n   1 ６二銀(71)\n   2 ７六歩(77)\n   3 投了\n", "kif"),
             ("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 17 moves G*5b", "usi")]
    path = written_games.load(tmp_path / "games.duckdb", texts)
    before, after, _ = there_and_back(path, "kif")
    assert before == after
    written_kif, _ = written(path, "kif")
    assert "手合割：二枚落ち" in written_kif[0]
    assert "手数＝16" in written_kif[1]


@pytest.mark.parametrize(("change", "why"), [
    ("moves = from_hex('0000')", "is missing"), ("moves = from_hex('ffff')", "damaged"),
    ("moves = from_hex('bc1dbc1d')", "damaged"), ("moves = from_hex('bc')", "cannot be read"),
    ("plies = 7", "not 7"), ("variant = 'toy'", "not known"), ("start_sfen = 'x'", "damaged"),
    ("handicap = 'nothing'", "no start position"),
])
def test_damaged_rows(tmp_path: Path, change: str, why: str) -> None:
    """A row that is no game is told and left out; the others are written."""
    path = written_games.load(tmp_path / "games.duckdb", [(text, "csa") for text in written_games.games(3, seed=2)])
    with Database.open(path, write=True) as database:
        database.run(f"UPDATE games SET {change} WHERE game_id = 2")
    with Database.open(path) as database:
        found = list(rebuild(database, choose(database)))
    assert [isinstance(one, DamagedRow) for one in found] == [False, True, False]
    assert why in str(found[1])


def test_choosing(tmp_path: Path) -> None:
    """By a condition, by a query in its order, by both, up to a limit."""
    path = written_games.load(tmp_path / "games.duckdb", [(text, "csa") for text in written_games.games(30, seed=4)])
    with Database.open(path) as database:
        ids = [row[0] for row in database.rows("SELECT game_id FROM games WHERE result = 1 ORDER BY game_id")]
        assert 3 < len(ids) < 30
        assert list(choose(database)) == list(range(1, 31))
        assert list(choose(database, "result = 1 -- they won")) == ids
        assert list(choose(database, "result = 1 OR result = 0", limit=1)) == [min(
            row[0] for row in database.rows("SELECT game_id FROM games WHERE result IN (0, 1)"))]
        assert list(choose(database, query="SELECT game_id FROM games ORDER BY game_id DESC", limit=4)) == [30, 29, 28, 27]
        assert list(choose(database, "result = 1", "SELECT game_id FROM plies ORDER BY game_id DESC")) == ids[::-1]
        for query, why in (("SELECT 99", "no game 99"), ("SELECT black FROM games", "black"), ("SELECT NULL", "None"),
                           ("SELECT true", "True"), ("-- nothing", "no rows")):
            with pytest.raises(NoGameIds, match=why):
                choose(database, query=query)
        with pytest.raises(QueryError):
            choose(database, "there is no such column")
        assert [one.game_id for one in rebuild(database, [7, 3, 21]) if not isinstance(one, DamagedRow)] == [7, 3, 21]


def test_the_moves_are_those_of_the_record(tmp_path: Path) -> None:
    """Against the text that was loaded, not against the way back."""
    texts = written_games.games(20, seed=9)
    path = written_games.load(tmp_path / "games.duckdb", [(text, "csa") for text in texts])
    expected = [kifu.write(kifu.parse(text, "csa"), "usi") for text in texts]
    assert written(path, "usi")[0] == expected


def test_examples() -> None:
    import doctest

    from kifu.store import chosen

    tried = doctest.testmod(chosen)
    assert (tried.failed, tried.attempted) == (0, 1)
