"""Adding a kind of shogi as `kifu/rules/variants/ADDING.md` says: its own blocks are what is tried here."""
from __future__ import annotations

import contextlib
import io
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kifu
from kifu.rules import position as position_module
from kifu.rules import variants
from kifu.rules.register import faults, register
from kifu.rules.ruleset import Handicap, Kind, Ruleset, slides, steps
from kifu.rules.tables import Tables
from kifu.rules.variants import RULESETS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "project"))
from test_docs import matches
from test_docs import steps as commands

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "kifu" / "rules" / "variants" / "ADDING.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


DATA, REGISTER, USE = blocks("python")


@pytest.fixture
def euroshogi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ruleset]:
    """The example of the page, registered in this process as the page does it, and forgotten afterwards."""
    (tmp_path / "euroshogi.py").write_text(DATA, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    space: dict[str, Any] = {}
    exec(REGISTER, space)
    yield space["RULES"]
    del RULESETS["euroshogi"]
    sys.modules.pop("euroshogi", None)
    position_module.tables_of.cache_clear()
    position_module._set_up.clear()


# --- the page

def test_what_the_page_prints(euroshogi: Ruleset) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(USE, {})
    [promised] = blocks("text")
    assert printed.getvalue() == promised
    assert register(euroshogi) is euroshogi  # once more does nothing


def test_the_kind_is_not_one_of_ours() -> None:
    assert "euroshogi" not in RULESETS
    with pytest.raises(ValueError, match="no kind of shogi known"):
        kifu.Position(variant="euroshogi")


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of programs that see the page's package as if pip had installed it."""
    (tmp_path / "euroshogi.py").write_text(DATA, encoding="utf-8")
    [project] = [tomllib.loads(block)["project"] for block in blocks("toml")]
    folder = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (folder / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()))
    programs = tmp_path / ".programs"
    programs.mkdir()
    (programs / "kifu").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kifu "$@"\n')
    (programs / "kifu").chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", "PYTHONUTF8": "1",
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}


def test_the_commands_of_the_page(installed: dict[str, str], tmp_path: Path) -> None:
    """With a package of one's own; what they print is what stands there."""
    (tmp_path / "work").mkdir()
    wrong = []
    found = commands(PAGE)
    assert len(found) > 4
    for step in found:
        done = subprocess.run(step.command, shell=True, cwd=tmp_path / "work", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", env=installed, timeout=120)
        printed = [line for line in done.stdout.splitlines() if not line.startswith("kifu: running ")]
        if not matches(step.expected, printed):
            wrong.append(f"{PAGE.name}:{step.line}: $ {step.command}\n{done.stdout}")
    assert not wrong, "\n".join(wrong)


def test_a_file_of_ours(tmp_path: Path) -> None:
    """The other way of the page: a module beside the others, named in their list."""
    assert "`MODULES`" in PAGE.read_text(encoding="utf-8")
    first, rest = DATA.split("\n", 1)
    (tmp_path / "euroshogi.py").write_text(f"{first}\nfrom __future__ import annotations\n\n{rest}", encoding="utf-8")
    script = ("import sys; from kifu.rules import variants\n"
              f"variants.__path__.append({str(tmp_path)!r}); variants.MODULES += ('euroshogi',)\n"
              "variants.RULESETS.__init__()\n"
              "import kifu; print(list(variants.RULESETS)[-1], kifu.Position(variant='euroshogi').perft(2))\n")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout == "euroshogi 625\n", done.stderr


def test_the_page_is_shipped_and_linked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["package-data"]["kifu.rules.variants"] == ["*.md"]
    assert "kifu/rules/variants/ADDING.md" in (ROOT / "README.md").read_text(encoding="utf-8")


# --- the rules of the example, written out once more

ALL = [(file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank]
GOLD = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
STRAIGHT, SLANTED = [(0, -1), (0, 1), (1, 0), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {"K": ALL, "G": GOLD, "P": [(0, -1)], "N": [(1, -2), (-1, -2), (1, 0), (-1, 0)], "+P": GOLD, "+N": GOLD,
         "B": [], "R": [], "+B": STRAIGHT, "+R": SLANTED}
SLIDES = {"B": SLANTED, "+B": SLANTED, "R": STRAIGHT, "+R": STRAIGHT}
Men = dict[tuple[int, int], tuple[str, bool]]  # (file, rank) -> the man and whether it is Black's


def men_of(sfen: str) -> tuple[Men, list[str]]:
    board, turn, held = sfen.split()[:3]
    men: Men = {}
    for rank, row in enumerate(board.split("/"), 1):
        file = 8
        for gap, man in re.findall(r"(\d)|(\+?[A-Za-z])", row):
            if man:
                men[file, rank] = (man.upper(), man.isupper())
            file -= int(gap or 1)
    mine = str.isupper if turn == "b" else str.islower
    return men, sorted({sign.upper() for sign in held if mine(sign)})


def attacks(men: Men, place: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The squares that the man on a square goes to, if nothing of its own stands there."""
    man, black = men[place]
    sign = 1 if black else -1
    ways = [(step, 1) for step in STEPS[man]] + [(step, 8) for step in SLIDES.get(man, ())]
    for (files, ranks), length in ways:
        for far in range(1, length + 1):
            to = (place[0] + sign * files * far, place[1] + sign * ranks * far)
            if not (1 <= to[0] <= 8 and 1 <= to[1] <= 8):
                break
            if to not in men or men[to][1] != black:
                yield to
            if to in men:
                break


def in_check(men: Men, black: bool) -> bool:
    king = next(place for place, man in men.items() if man == ("K", black))
    return any(king in attacks(men, place) for place in men if men[place][1] != black)


def slow_moves(men: Men, black: bool, hand: list[str], mates: bool = True) -> list[str]:
    """All legal moves in USI: every way of every man, every drop, tried on a copy of the board."""
    name = "{}{}".format
    moves = []
    zone = (1, 2, 3) if black else (6, 7, 8)
    for place, (man, own) in men.items():
        for to in attacks(men, place) if own == black else ():
            turned = man in "PNBR" and (place[1] in zone or to[1] in zone)
            after = {**men, to: ("+" + man if turned else man, black)}
            del after[place]
            if not in_check(after, black):
                moves.append(name(place[0], "abcdefgh"[place[1] - 1]) + name(to[0], "abcdefgh"[to[1] - 1]) + "+" * turned)
    for man in hand:
        for to in [(file, rank) for file in range(1, 9) for rank in range(1, 9) if (file, rank) not in men]:
            if man == "P" and (to[1] == (1 if black else 8) or ("P", black) in [men.get((to[0], r)) for r in range(1, 9)]):
                continue
            after = {**men, to: (man, black)}
            if in_check(after, black):
                continue
            if man == "P" and mates and in_check(after, not black) and not slow_moves(
                    after, not black, ["P", "N", "B", "R", "G"], mates=False):  # whatever the other side may hold
                continue
            moves.append(f"{man}*" + name(to[0], "abcdefgh"[to[1] - 1]))
    return sorted(moves)


def test_legal_moves_against_a_slow_count(euroshogi: Ruleset) -> None:
    chance = random.Random(3)
    drops = promotions = 0
    for _ in range(2):
        position = kifu.Position(variant="euroshogi")
        for _ in range(60):
            legal = position.legal_moves()
            men, hand = men_of(position.sfen())
            assert list(map(str, legal)) == slow_moves(men, position.turn == "black", hand), position.sfen()
            if not legal:
                break
            takes = [move for move in legal if move.taken] or legal
            move = chance.choice(takes if chance.random() < 0.4 else legal)
            drops, promotions = drops + move.is_drop, promotions + move.promotes
            position.push(move)
    assert drops > 3 and promotions > 3


def test_perft_as_another_program_counts(euroshogi: Ruleset) -> None:
    """Fairy-Stockfish's euroshogi (pyffish 0.0.90), from the start position."""
    assert [kifu.Position(variant="euroshogi").perft(depth) for depth in (1, 2, 3)] == [25, 625, 15424]


@pytest.mark.parametrize(("sfen", "move", "reason"), [
    ("4k3/8/8/2N5/8/8/8/4K3 b - 1", "6d7b+", None), ("4k3/8/8/2N5/8/8/8/4K3 b - 1", "6d5d", None),
    ("4k3/8/8/2N5/8/8/8/4K3 b - 1", "6d6c", "bad-move"), ("4k3/8/2N5/8/8/8/8/4K3 b - 1", "6c7c", "must-promote"),
    ("4k3/8/8/8/8/8/8/4K3 b N 1", "N*8a", None), ("4k3/8/8/8/8/8/8/4K3 b P 1", "P*8a", "dead-end-drop"),
    ("4k3/8/8/8/8/8/7P/4K3 b P 1", "P*1c", "nifu"), ("4k3/8/2G5/8/8/8/8/4K3 b - 1", "6c6b+", "cannot-promote"),
])
def test_its_own_bars(euroshogi: Ruleset, sfen: str, move: str, reason: str | None) -> None:
    assert kifu.Position(sfen, "euroshogi").reason(move) == reason


def test_a_record_of_it(euroshogi: Ruleset) -> None:
    """Known by its board, as no other kind is of eight files and ranks."""
    start = euroshogi.handicaps[0].sfen
    [record] = kifu.parse(f"position sfen {start} moves 3c3d 4f4e", "usi")
    game = kifu.replay(record)
    assert (game.variant, game.handicap, game.verdict, game.plies) == ("euroshogi", "rook", "legal", 2)
    assert kifu.write([game], "usi") == f"position sfen {start} moves 3c3d 4f4e\n"


# --- what is refused

GOOD = Ruleset("trial", "trial", 3, 4, "gkg/3/3/GKG b - 1", (
    Kind(5, "G", "guard", steps((0, -1)), slides((0, -1)), "great guard"), Kind(8, "K", "king", steps(*ALL), royal=True)),
    zone=1, hand_order="G", key_number=1002)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.key)
def test_nothing_is_wrong_with_ours(rules: Ruleset) -> None:
    assert faults(rules) == []
    Tables(rules)


def with_kind(**changes: Any) -> dict[str, Any]:
    return {"kinds": (GOOD.kinds[0]._replace(**changes), GOOD.kinds[1])}


def handicap(key: str) -> Handicap:
    return Handicap(key, "", "", "gkg/3/3/GK1 w - 1")


@pytest.mark.parametrize(("changes", "said"), [
    ({"key": "Trial!"}, "the key 'Trial!' is not of small letters and digits"),
    ({"name": ""}, "it has no name"), ({"zone": 5}, "a zone of 5 ranks on a board of 4"),
    ({"promotion": "now"}, "no way of promoting 'now'"), ({"drops": "many"}, "no way of dropping 'many'"),
    ({"repetition": ()}, "no reading of repetition"), ({"repetition": ("fifth",)}, "no reading of repetition 'fifth'"),
    (with_kind(number=4), "'G' has the number 4, not that of its letter, 5"), (with_kind(name=""), "G has no name"),
    (with_kind(letter="g"), "'g' has the number 5, not that of its letter, None"),
    (with_kind(promoted_name=""), "G has a promoted face or its name, not both"),
    ({"kinds": GOOD.kinds[:1]}, "no man is royal"), ({"kinds": (*GOOD.kinds, GOOD.kinds[0])}, "two kinds of men have one letter"),
    ({"hand_order": "GP"}, "hand_order is 'GP', and the men that can be in hand are 'G'"),
    ({"kanji": {"X": "x"}}, "kanji names 'X', which is no face"), ({"western": {"+K": "x"}}, "western names '+K'"),
    ({"files": 13}, "a board of 13 files"), ({"initial": "gkg/3/GKG b - 1"}, "the start position: the board has 3 rows"),
    ({"initial": "3/3/3/GKG w - 1"}, "the side to move has no move"),
    ({"handicaps": (kifu.rules.ruleset.Handicap("a", "", "a", "kkk/3/3/GKG w - 1"),)}, "the handicap a: White has 3 kings"),
    ({"drops": "none", "hand_order": ""}, "royal men can be taken where there are no drops"),
    ({"key": "shogi"}, "a kind of shogi of this key is known already"), ({"key_number": 0}, "it has no key_number"),
    ({"key_number": 7}, "its key_number, 7, is that of torishogi"), ({"key_number": 1 << 17}, "is not between 1000 and"),
    ({"key_number": -1}, "is not between 1000 and"), ({"key_number": 999}, "its key_number, 999, is not between 1000 and"),
    ({"kanji": {"G": "兵", "K": "兵"}}, "boards have one word for 'G' and 'K', '兵'"),
    ({"kanji": {"G": "兵 一"}}, "kanji has '一' for 'G'"), ({"kanji": {"G": "兵 卒", "K": "王 卒"}}, "boards have one word"),
    ({"kanji": {"G": "兵 卒", "K": "兵 王"}}, "moves have one word for 'G' and 'K', '兵'"),
    ({"kanji": {"G": ""}}, "kanji has no word for 'G'"), ({"kanji": {"G": " "}}, "kanji has no word for 'G'"),
    ({"kanji": {"G": "K"}}, "kanji has 'K' for 'G'"),
    *(({"kanji": {"G": word}}, f"kanji has {word!r} for 'G', which notations could not read")
      for word in ("兵2", "兵２", "兵(", "兵＊", "打", "兵成", "同兵", "v兵", "なし", "+兵")),
    ({"western": {"G": "Gold"}}, "western has 'Gold' for 'G'; a name is a capital and up to two letters more"),
    ({"western": {"G": "Gx"}}, "western has 'Gx' for 'G'"), ({"western": {"G": "go"}}, "western has 'go' for 'G'"),
    ({"western": {"G": ""}}, "western has no name for 'G'"), ({"western": {"G": "K"}}, "the letter of another man"),
    ({"western": {"G": "Gu", "+G": "Gu"}}, "western has 'Gu' for 'G' and for '+G'"),
    ({"ja": "中将棋"}, "the name '中将棋' is that of chushogi"), ({"ja_others": ("京都",)}, "the name '京都' is that of kyoto"),
    ({"name": "Tori Shogi"}, "the name 'Tori Shogi' is that of torishogi"),
    ({"ja": "平手"}, "the name '平手' is that of ordinary shogi"), ({"ja": "詰将棋"}, "is that of ordinary shogi"),
    ({"ja": "a\nb"}, "does not fit into a line"),
    ({"handicaps": (handicap("even"),)}, "a handicap has the key 'even', which every kind of shogi has already"),
    ({"handicaps": (handicap("other"),)}, "a handicap has the key 'other'"),
    ({"handicaps": (handicap("a b"),)}, "the key 'a b' of a handicap"),
    ({"handicaps": (handicap("a"), handicap("a"))}, "two handicaps have one key"),
    ({"key": 5}, "key is 5, not a text"), ({"key": []}, "key is [], not a text"), ({"zone": "1"}, "zone is '1', not a whole"),
    ({"files": True}, "files is True, not a whole number"), ({"bare_king": 1}, "bare_king is 1, not True or False"),
    ({"kinds": list(GOOD.kinds)}, "not a tuple of kinds"), ({"kinds": None}, "kinds is None"), ({"kinds": (1,)}, "tuple of kinds"),
    ({"kanji": {"G": 1}}, "kanji is {'G': 1}, not a mapping of texts to texts"), ({"western": ()}, "western is ()"),
    ({"handicaps": ("a",)}, "not a tuple of handicaps"), ({"handicaps": (handicap("a")._replace(sfen=1),)}, "of a handicap sfen is 1"),
    ({"repetition": "fourth"}, "repetition is 'fourth', not a tuple of texts"), ({"ja": None}, "ja is None, not a text"),
    (with_kind(ways=None), "of the kind G ways is None, not a tuple of ways"),
    (with_kind(ways=steps(("a", 1))), "of a way of the kind G direction is ('a', 1), not two whole numbers"),
    (with_kind(promoted=5), "of the kind G promoted is 5, not a tuple of ways"), (with_kind(letter=5), "letter is 5, not a text"),
])
def test_what_is_wrong_is_said(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        register(Ruleset(*GOOD._replace(**changes)))
    assert "trial" not in RULESETS


def test_what_is_taken_is_said_before_it_is_registered() -> None:
    assert faults(Ruleset(*GOOD._replace(key="micro"))) == ["a kind of shogi of this key is known already"]
    assert faults(Ruleset(*GOOD._replace(key_number=7))) == [
        "its key_number, 7, is not between 1000 and 131071", "its key_number, 7, is that of torishogi"]


def test_words_that_two_faces_may_share() -> None:
    """A plain man and a promoted one in moves, as in chu shogi: where they came from tells them apart."""
    assert faults(Ruleset(*GOOD._replace(kanji={"G": "兵 卒", "+G": "兵 将", "K": "王"}, western={"G": "Gu", "+G": "+G Gg"}))) == []


def test_the_trial_itself_is_good() -> None:
    """So that each of the above is refused for its change alone."""
    assert faults(GOOD) == []
    register(GOOD)
    del RULESETS["trial"]


@pytest.mark.parametrize(("module", "value", "said"), [
    ("raise RuntimeError('no luck')", "euroshogi:RULES", "no luck"), ("RULES = 5", "euroshogi:RULES", "is a int, not a Ruleset"),
    ("", "euroshogi:RULES", "no attribute 'RULES'"), ("", "nowhere:RULES", "No module named 'nowhere'"),
    (DATA.replace("zone=3", "zone=30"), "euroshogi:RULES", "a zone of 30 ranks on a board of 8"),
    (DATA.replace('key="euroshogi"', 'key="minishogi"'), "euroshogi:RULES", "known already"),
])
def test_a_package_that_is_no_good_is_left_out_and_told(installed: dict[str, str], tmp_path: Path, module: str, value: str,
                                                        said: str) -> None:
    (tmp_path / "euroshogi.py").write_text(module, encoding="utf-8")
    (tmp_path / "euroshogi-1.0.dist-info" / "entry_points.txt").write_text(f"[kifu.variants]\neuroshogi = {value}\n")
    done = subprocess.run([sys.executable, "-m", "kifu", "variants", "--json"], cwd=tmp_path, capture_output=True,
                          encoding="utf-8", env=installed, timeout=60)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == len(variants.MODULES)
    assert said in done.stderr and "the entry point 'euroshogi' of kifu.variants is left out" in done.stderr
    assert "Traceback" not in done.stderr


def test_threads_that_ask_at_once_all_know_it(installed: dict[str, str], tmp_path: Path) -> None:
    """The first one looks for packages; the others wait until it has found them."""
    (tmp_path / "euroshogi.py").write_text("import time\ntime.sleep(0.3)\n" + DATA.replace('"""', "#", 1).replace('"""', "#", 1))
    script = ("import threading; said = []; from kifu.rules.variants import RULESETS\n"
              "def ask():\n    said.append(('euroshogi' in RULESETS, RULESETS['euroshogi'].files))\n"
              "threads = [threading.Thread(target=ask) for _ in range(4)]\n"
              "[thread.start() for thread in threads]; [thread.join() for thread in threads]; print(said)\n")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, encoding="utf-8",
                          env=installed, timeout=60)
    assert done.stdout == f"{[(True, 8)] * 4}\n", done.stderr


def test_nobody_looks_for_packages_for_ordinary_shogi(kifu: Callable[..., Any], installed: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "euroshogi.py").write_text("print('imported')\n")
    (tmp_path / "a.csa").write_text("PI\n+\n+7776FU\n%TORYO\n")
    ran = kifu("check", tmp_path / "a.csa", PYTHONPATH=installed["PYTHONPATH"])
    assert ran.status == 0 and "imported" not in ran.out
