"""The light start: stand-ins answer as the modules they stand for, and become them when more is asked."""
from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from kifu.cli.app import cli
from kifu.cli.light import cleandoc

TEXTS = ("", "one", "  one\n", "one\n  two\n    three\n", "\n\n  a\n\n  b\n \n", "a\n\tb\n\t  c", "\n", "a\n   ")


@pytest.mark.parametrize("text", [*TEXTS, *(option.help or "" for option in cli.params), cli.help or ""])
def test_cleandoc_is_that_of_the_standard_library(text: str) -> None:
    assert cleandoc(text) == inspect.cleandoc(text)


def test_real_modules_come_when_they_are_wanted() -> None:
    """In a process of its own: here they are loaded already."""
    code = """if True:
        import sys
        from kifu.cli.light import lighten
        lighten()
        import click, gettext, inspect, platform
        from inspect import cleandoc
        assert not {"ast", "dis", "tokenize", "locale"} & set(sys.modules), sorted(sys.modules)
        assert gettext.ngettext("a", "b", 1) + gettext.ngettext("a", "b", 2) == "ab"
        system = platform.system()
        assert inspect.signature(lambda one: one).parameters.keys() == {"one"}
        assert platform.python_version() and gettext.NullTranslations().gettext("a") == "a"
        assert "tokenize" in sys.modules and inspect.__file__ and sys.modules["inspect"].getsource
        import inspect as again, platform as real
        from dataclasses import dataclass
        assert again.isfunction(dataclass) and real.system() == system
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_start_loads_little() -> None:
    """A help page needs neither what the stand-ins stand for nor what the work needs."""
    code = """if True:
        import sys
        before = set(sys.modules)
        from kifu.cli import main
        try:
            main(["convert", "--help"])
        except SystemExit as stop:
            assert not stop.code
        heavy = {"ast", "dataclasses", "dis", "locale", "pyarrow", "duckdb", "rich", "tokenize", "multiprocessing"}
        assert not heavy & (set(sys.modules) - before), heavy & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(("module", "spared"), [("sys", True), ("kifu.store", False)])
def test_nothing_is_searched_for_garbage_at_the_end_but_where_a_database_was_open(module: str, spared: bool) -> None:
    code = f"import gc, {module}; from kifu.cli.light import leave; leave(); print(gc.get_freeze_count() > 0)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert ran.stdout == f"{spared}\n"
