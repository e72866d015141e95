"""`--rules repetition=...` where the kind of shogi does not know the reading: told, never passed over in silence."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Kifu = Callable[..., Any]
SAID = "repetition=fourth is no reading of tori shogi, which has third-barred, fourth-loses and starter-varies"
GAME = "sfen rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1 moves 4f5f\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "a.usi"
    path.write_text(GAME)
    return path


def test_the_kind_that_was_named_refuses_it(kifu: Kifu, game: Path) -> None:
    ran = kifu("check", game, "--variant", "torishogi", "--rules", "repetition=fourth")
    assert ran.status == 2
    assert f"Invalid value for '--rules': {SAID}." in ran.err
    assert kifu("check", game, "--variant", "torishogi", "--rules", "fourth-loses").status == 0


def test_another_kind_of_a_record_is_told_of_once(kifu: Kifu, game: Path) -> None:
    for number in range(3):
        (game.parent / f"{number}.usi").write_text(GAME)
    ran = kifu("check", game.parent, "--rules", "repetition=fourth", "--jobs", "1")
    assert ran.status == 0
    assert ran.err.count(f"kifu: {SAID}: its games are held to third-barred\n") == 1
    assert "UserWarning" not in ran.err
    assert "reading" not in kifu("check", game, "--rules", "fourth-loses").err


def test_settings_of_a_project_are_for_all_kinds(kifu: Kifu, game: Path) -> None:
    config = game.parent / "kifu.toml"
    config.write_text('rules = "repetition=fourth"\n')
    ran = kifu("check", game, "--config", config, "--variant", "torishogi")
    assert (ran.status, f"kifu: {SAID}" in ran.err) == (0, True)
