"""What the bench needs besides this environment, made in bench/: an ordinary installation, and tsshogi.

Whole processes are measured in an environment of their own, ``bench/env``, into which kifu is installed from a wheel, as
users install it: an installation for development adds an import hook that costs more than the program's own start. The
peers are in it too, so that their processes start from the same Python.
"""
from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("kifu", "cli", "grammars")
PAGES = ("pyproject.toml", "README.md", "LICENSE")
MADE = ("*.so", "*.c", "*.pyd", "__pycache__", "_tables", "_built.txt")
TSSHOGI = "tsshogi@2"


@dataclass(frozen=True, slots=True)
class Programs:
    """What whole processes are measured with. ``node`` is the folder of tsshogi; what is None is not there."""

    python: Path
    kifu: tuple[str, ...]
    packages: dict[str, str] = field(default_factory=dict)
    node: Path | None = None
    installed: str = ""


def here(packages: dict[str, str]) -> Programs:
    """This environment as it is."""
    return Programs(Path(sys.executable), (sys.executable, "-m", "kifu"), packages, None, "this environment")


def programs(folder: Path, packages: dict[str, str]) -> Programs:
    """The environment in ``folder``, made or renewed where the sources have changed since."""
    environment = folder / "env"
    python = environment / "bin" / "python"
    stamp = environment / "made-from"
    wanted = digest()
    if not (stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        say("building a wheel and installing it in an environment of its own")
        if not python.exists():
            run([sys.executable, "-m", "venv", environment])
        pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check"]
        wheel = build(folder)
        run([*pip, "install", "--quiet", wheel])
        run([*pip, "install", "--quiet", "--force-reinstall", "--no-deps", wheel])
        if packages:
            run([*pip, "install", "--quiet", *(f"{name}=={version}" for name, version in packages.items())])
        stamp.write_text(wanted, encoding="utf-8")
    return Programs(python, (str(environment / "bin" / "kifu"),), packages, node(folder), "a wheel in its own environment")


def build(folder: Path) -> Path:
    """The wheel of the sources as they are, built apart from what was built before."""
    source, target = folder / "source", folder / "wheel"
    for one in (source, target):
        shutil.rmtree(one, ignore_errors=True)
    for name in SOURCES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns(*MADE))
    for name in PAGES:
        shutil.copy(ROOT / name, source / name)
    run([sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--wheel-dir",
         target, source])
    [wheel] = target.glob("*.whl")
    return wheel


def node(folder: Path) -> Path | None:
    """The folder with tsshogi in it, installed by npm where Node is there; None where it is not, or npm fails."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return None
    place = folder / "node"
    if not (place / "node_modules" / "tsshogi").is_dir():
        say("installing tsshogi")
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", place, TSSHOGI],
                              stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            say("npm could not install tsshogi; its columns stay empty")
            return None
    return place


def node_version(place: Path) -> str:
    """The version of the tsshogi in a folder."""
    about = json.loads((place / "node_modules" / "tsshogi" / "package.json").read_text(encoding="utf-8"))
    return str(about["version"])


def digest() -> str:
    """A hash of all that an installation is made from."""
    found = hashlib.sha256(sys.version.encode())
    for path in _files():
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _files() -> Iterable[Path]:
    for name in SOURCES:
        yield from sorted(path for path in (ROOT / name).rglob("*") if path.is_file() and not any(
            fnmatch(part, made) for part in path.relative_to(ROOT).parts for made in MADE))
    yield ROOT / "pyproject.toml"


def run(command: list[str | Path]) -> None:
    """Run a command; `SystemExit` with its words where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"make bench: {' '.join(map(str, command))}\n{done.stdout[-4000:]}")


def say(text: str) -> None:
    """Tell on standard error what is being done."""
    print(f"bench: {text}", file=sys.stderr, flush=True)
