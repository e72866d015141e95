"""What the tests of grammars share: Lark as the reference, the machine in both its forms, texts to try."""
from __future__ import annotations

import csv
import importlib.util
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import LexerThread

import kifu.grammar
from kifu.grammar import machine as imported_machine
from kifu.grammar.tables import Tables
from kifu.grammar.tape import Tape

Event = tuple[str, int, int]


def decode(data: bytes) -> str:
    """Bytes of the corpus as text, by the first encoding that fits."""
    for encoding in ("utf-8-sig", "cp932", "euc_jp"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    return data.decode("utf-8-sig", "replace")


class Reference:
    """Lark on one grammar, made to tell what it shifts and reduces."""

    def __init__(self, lark: Lark) -> None:
        self.lexer = lark.parser.lexer
        self.parser = lark.parser.parser.parser
        self.events: list[Event] = []
        self.end = 0  # of the last token
        self.shifted = 0  # events up to and including the last token
        callbacks: dict[Any, Callable[[Any], Any]] = {rule: self.reducer(rule) for rule in lark.rules}
        callbacks.update({terminal.name: self.shift for terminal in lark.terminals})
        self.parser.callbacks = callbacks

    def shift(self, token: Any) -> tuple[int, int]:
        self.events.append((token.type, token.start_pos, token.end_pos))
        self.end = token.end_pos
        self.shifted = len(self.events)
        return token.start_pos, token.end_pos

    def reducer(self, rule: Any) -> Callable[[list[Any]], Any]:
        name = str(rule.alias or rule.origin.name)

        def reduce(children: list[Any]) -> Any:
            spans = [child for child in children if child is not None]
            span = (spans[0][0], spans[-1][1]) if spans else (self.end, self.end)
            self.events.append((name, *span))
            return span if spans else None
        return reduce

    def __call__(self, text: str) -> tuple[list[Event], int | None]:
        """The events up to the end or the first error, and where that error is."""
        self.events, self.end, self.shifted = [], 0, 0
        error = None
        try:
            self.parser.parse(LexerThread.from_text(self.lexer, text), "start")
        except UnexpectedCharacters as found:
            error = found.pos_in_stream
        except UnexpectedToken as found:
            error = len(text) if found.token.type == "$END" else found.token.start_pos
        if error is not None:  # both reduce before they find out that a token is wrong, but not the same
            del self.events[self.shifted:]
        return self.events, error


def events_of(tape: Tape) -> list[Event]:
    """A tape's events by name."""
    flat = tape.events
    return [
        (tape.terminals[flat[at]] if flat[at] >= 0 else tape.rules[-1 - flat[at]], flat[at + 1], flat[at + 2])
        for at in range(0, len(flat), 3)
    ]


def hash_of(name: str) -> int:
    """A number that is the same in every run."""
    return sum(name.encode())


#: Small texts of each notation: what mutation and generation start from.
SAMPLES = {
    "csa": [
        "V2.2\nN+Sente\nN-Gote\n$EVENT:Friendly, almost\n$START_TIME:2024/01/01 00:00:02\nPI82HI22KA\n-\n"
        "'a comment\n-3334FU,T5\n+7776FU\nT12\n'** 30 -8384FU\n-2288UM,'* 1,2\n%TORYO\n",
        "V3.0\n'CSA encoding=UTF-8\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 *  *  *  *  *  *  * -KA * \n"
        "P+00FU00KI\nP-00AL\n+\n+0055KI\nT1.5\n-5142OU\nT0.123\n#TIME_UP\n/\nPI\n+\n%+ILLEGAL_ACTION\n",
    ],
    "kif": [
        "# KIF\n開始日時：2024/01/02\n手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"
        "   1 ７六歩(77)   ( 0:16/00:00:16)\n*初手\n   2 ３四歩(33)   ( 0:00/00:00:00)\n"
        "   3 ２二角成(88) ( 0:01/00:00:17)+\n   4 同　銀(31)   ( 0:00/00:00:00)\n   5 ４五角打     ( 0:03/00:00:20)\n"
        "   6 投了\nまで5手で先手の勝ち\n\n変化：2手\n   2 ８四歩(83)\n",
        "手数＝8  △５二金左  まで\n後手の持駒：飛　角　金二　歩十八\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "|v香v桂 ・ ・ 玉 ・ ・v桂v香|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n+---------------------------+\n"
        "先手の持駒：なし\n先手番\n",
    ],
    "kif_boards": [
        "手合割：京都将棋\n先手：甲\n手数----指手---------消費時間--\n   1 ３四金成(25)   ( 0:16/00:00:16)\n"
        "   2 ２二+P打\n   3 同　桂成(34)+\n   4 投了\nまで3手で先手の勝ち\n\n変化：2手\n   2 １二と成(11)\n",
        "手合割：中将棋\n １２ １１ １０ ９  ８  ７  ６  ５  ４  ３  ２  １\n+-----------------+\n|  ・ v成獅  獅|十二\n"
        "+-----------------+\n後手番\n手数＝8  △５二金  まで\n"
        "1手目 ▲7八歩兵 （←7九）\n   57手目一歩目 ▲仝獅子 （←7七）  ( 0:01/00:00:17)\n"
        "   57手目二歩目 ▲7七獅子（居食い） （←6六）\n58手目 △10九角行成 （←3二）\n3一歩目 12十一鷹(1112)\n4 7fP(7g)\n",
    ],
    "ki2": [
        "#KI2 version=2.0\n手合割：平手\n先手：甲\n\n▲７六歩    △３四歩    ▲２二角成  △同　銀\n*初手\n▲４五角打 △５二金左 ▲３四角\n"
        "&しおり\nまで7手で後手の勝ち\n\n変化：2手\n△８四歩 ▲５六歩(57)\n",
        "☗7六歩（12分）☖34歩、２六歩８四歩２五歩８五歩７八金３二金▲２四同歩△同飛成\r\n1. ▲５三銀右上不成 2.△５三銀成左 △７七合 投了\n"
        "先手の持駒：飛二金\n| ・v歩 馬v全 ・ ・ ・ ・^玉|一\n手数＝12  ▲５八金右  まで\n後手番\n変化：３手 ▲９六歩行*聞く\n",
    ],
    "usi": [
        "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e resign\n",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 2g2f\n",
        "4k4/9/9/9/9/9/9/9/4K4 w 2R3Pb 12\n",
    ],
    "usi_boards": [
        "sfen rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1 moves 2e2d 6c6d f*3d\n"
        "p+nks+l/5/5/5/+LSK+NP b LS2n 1 moves 1e1c- +P*3c 2e 2c - resign\n",
        "position sfen 1b1g3l3k/12/12/12/12/12/12/12/12/12/12/4K6N+D w 6f 12 moves 12l11k 6f5e6d 10a12j+ 6f5e6f\n",
    ],
    "usen": [
        "~0.7ku2jm6y20e45t2.r\n~0.7ku2jm.~1.20e.p\n",
        "lnsgkgsnl_9_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.w.-~0.1yg.\nhttps://play.example/?u=~0.7ku.t&bn=A\n",
    ],
    "western": [
        '[Sente "Ōyama"]\n[Gote "Masuda \\"M\\""]\n[Handicap "2 piece"]\n\n'
        '1. ... P-3d 2. P-7f {a comment} Bx8h+ $1 3. Sx8h B*4e !? (0:05)\n'
        "4. P*3d (4. G6a-5b (P-8c + P-8c =) R-2h) 4... +P-8c Resigns\n1-0\n",
        "; old mail\n 1.P2g-2f   (00:01 / 00:00:01)\n 2.P3c-3d\n 3. p-7f +px3b= [ said he ] 4 S'34 7g7f 1/2-1/2 *\n",
        "1. 歩-76 歩-34 2. 角(88)x22+ 銀x ch (2... 飛x22# mate) 3. xP SxB P-7F と*12\n",
    ],
    "western_boards": [
        '[Variant "torishogi"]\n[SFEN "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1"]\n\n'
        "1. Sw-4c Swx4c 2. F3g-4f (0:05) {a comment} Go6a-7c+ $1 3. Swx +S*5d !?\n(3. Sw-2d (adjourned) Cr3gx4f# mate) "
        "4... LQ-1c The swallow, Fox said Phoenix-4a Resigns\n1-0\n",
        "1. Lnx3hx2i Ln-5e-6d 2. Lnx!12d Ln6f-- 3. -- +L12lx11k- DK-12A= 4. 12l11k+ 6h5i6h *\n",
        "12 +p-3b G49-58 P76 x R'34 角(88)x22+ SxP LQxC G4i5h ☗+P@3c- N-3b! (Sw-4c) (x) 0-1",
    ],
    "pgn": [
        '[White "A \\"B\\""]\n[FEN "4k4/9/9/9/9/9/9/9/4K4[Pp] w 0 1"]\n\n1. P@e5 Ke8 2. G4xf2+# $1 {a comment} '
        "(2. e4 cxd5=?! 3... +Rg2a1) 2... Kd8 Resigns 1-0 ; end\n% no\n*\n",
    ],
}


class Lab:
    """Machines, references and texts, made when first asked for; the fixture ``lab`` is one for all tests."""

    samples = SAMPLES

    @cache  # noqa: B019  (one for the whole run)
    def machine(self, notation: str) -> Any:
        """The machine as it is imported, compiled or not."""
        return kifu.grammar.load(notation)

    @cache  # noqa: B019
    def tables(self, notation: str) -> Tables:
        return kifu.grammar.load_tables(notation)

    @cache  # noqa: B019
    def interpreted(self, notation: str) -> Any:
        """The machine's source, run by the interpreter whatever was compiled."""
        return self.source.Machine(self.tables(notation))

    @cached_property
    def source(self) -> ModuleType:
        path = Path(kifu.grammar.__file__).with_name("machine.py")
        spec = importlib.util.spec_from_file_location("interpreted_machine", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    @cache  # noqa: B019
    def reference(self, notation: str) -> Reference:
        return Reference(kifu.grammar.lark_parser(notation))

    @property
    def compiled(self) -> bool:
        """Whether the imported machine is the compiled one."""
        return not str(imported_machine.__file__).endswith(".py")

    @staticmethod
    def events(tape: Tape) -> list[Event]:
        """A tape's events by name."""
        flat, terminals, rules = tape.events, tape.terminals, tape.rules
        return [
            (terminals[flat[at]] if flat[at] >= 0 else rules[-1 - flat[at]], flat[at + 1], flat[at + 2])
            for at in range(0, len(flat), 3)
        ]

    def differences(self, notation: str, texts: Iterable[tuple[str, str]]) -> list[str]:
        """The names of those texts that Lark and the machine read differently, up to the first error.

        What is compared with Lark is the parser that makes every reduction by itself. The one that readers use takes
        shortcuts: it must show the same, but for what it leaves out, before errors and behind them.
        """
        reference, machine = self.reference(notation), self.machine(notation)
        reductions = set(machine.rules) - set(machine.terminals)
        found = []
        for name, text in texts:
            tape = machine.parse(text, recover=False, full=True)
            error = tape.faults[0].offset if tape.faults else None
            events = self.events(tape)
            while error is not None and events and events[-1][0] in reductions:  # what the machine did at once
                events.pop()
            if (events, error) != reference(text) or not self.shortcuts_agree(notation, text):
                found.append(name)
        return found

    def shortcuts_agree(self, notation: str, text: str) -> bool:
        """Whether the parser with shortcuts, and the one that shows what a reader needs, give the same as the whole."""
        machine, tables = self.machine(notation), self.tables(notation)
        first = len(tables.terminals)
        for recover in (False, True):
            whole, short = machine.parse(text, recover, True), machine.parse(text, recover)
            events = list(zip(*[iter(whole.events)] * 3, strict=True))
            shown = [event for event in events if event[0] >= 0 or tables.shown[first - 1 - event[0]]]
            if shown != list(zip(*[iter(short.events)] * 3, strict=True)) or whole.faults != short.faults:
                return False
            names = {name for name in (*machine.terminals, *machine.rules) if hash_of(name) % 2}
            some = self.machine_for(notation, frozenset(names)).parse(text, recover)
            kept = names | {"BAD", "UNCLOSED"}
            if [one for one in self.events(short) if one[0] in kept] != self.events(some) or some.faults != short.faults:
                return False
        return True

    @cache  # noqa: B019
    def machine_for(self, notation: str, names: frozenset[str]) -> Any:
        return self.machine(notation).only(names)

    @staticmethod
    def mutations(text: str, letters: str, count: int, seed: int) -> Iterator[tuple[str, int]]:
        """Texts with one character removed, doubled, replaced or put in, and where."""
        chance = random.Random(seed)
        for _ in range(count):
            at = chance.randrange(len(text))
            kind = chance.randrange(4)
            letter = chance.choice(letters)
            if kind == 0:
                yield text[:at] + text[at + 1:], at
            elif kind == 1:
                yield text[:at] + text[at] + text[at:], at
            elif kind == 2:
                yield text[:at] + letter + text[at + 1:], at
            else:
                yield text[:at] + letter + text[at:], at


@pytest.fixture(scope="session")
def lab() -> Lab:
    return Lab()


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Callable[[str], list[tuple[str, str]]]:
    """The texts of a format in the corpus, each with its path."""
    with (shared / "corpus" / "MANIFEST.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))

    @cache
    def texts(format_name: str) -> list[tuple[str, str]]:
        return [
            (row["path"], decode((shared / "corpus" / row["path"]).read_bytes()))
            for row in rows if row["format"] == format_name
        ]
    return texts
