# cython: language_level=3, annotation_typing=False
"""Western text, the writer: tags, then moves in one of the styles, two a number, variations in brackets.

Source: the 1997 PSN draft and Hodges notation (see `grammars/western.lark`); PSN is the same text. In handicap games
White moves first, so Black's slot of the first number is an ellipsis.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from kifu import ends
from kifu.notation.fouls import among_moves
from kifu.notation.header_plans import Headers, Plan, plain
from kifu.notation.spelling import WesternPage, long_names, pairs
from kifu.notation.western_styles import HODGES, STYLES
from kifu.notation.writing import UnwritableError, Writer, header_slots
from kifu.record import CANONICAL, NOTE, Game
from kifu.rules.handicaps import HANDICAPS, of_variant
from kifu.rules.position import Position
from kifu.rules.variants import RULESETS

if TYPE_CHECKING:
    from kifu.notation.western_boards_page import BoardsPage

WRITE_TAGS = {"black": "Sente", "white": "Gote", "event": "Event", "site": "Site", "start_time": "Date",
              "end_time": "EndDate", "time_control": "TimeControl", "opening": "Opening", "title": "Title",
              "note": "Note", "round": "Round", "annotator": "Annotator"}
SLOTS = header_slots(tuple(WRITE_TAGS))
ORDINARY = "shogi"
RESULTS = {ends.BLACK: "1-0", ends.WHITE: "0-1", ends.DRAW: "1/2-1/2"}


#: Pages that no writer is at work on, by their style.
_PAGES: dict[str, list[WesternPage]] = {}
#: What becomes of headers, by their keys.
_PLANS: dict[tuple[str, ...], Plan] = {}


class WesternWriter(Writer):
    """Writes proven games as western text, in Hodges notation unless another style is named.

    Games of other kinds of shogi than the ordinary one tell it by a tag, `[Variant "torishogi"]`.
    """

    NOTATION = "western"
    HOLDS_ALL_KINDS = True
    SEPARATOR = "\n"
    page: WesternPage

    def __init__(self, style: str | None = None) -> None:
        super().__init__(style)
        self.spelling = style or HODGES
        self.branches = 0  # variations of the game in hand that were written

    def held(self, game: Game) -> Game:
        """The game, where the style can spell it; else raises `UnwritableError`."""
        if game.variant != ORDINARY:
            from kifu.notation.western_names import why_not

            if refused := why_not(self.spelling, RULESETS[game.variant]):
                raise UnwritableError(refused)
        return game

    def write(self, game: Game) -> str:
        record = game.record
        pages = _PAGES.setdefault(self.spelling, [])
        page = self.page = pages.pop() if pages else new_page(self.spelling)
        page.open(game.proven, record.info, record.notes, record.note_marks, record.source.text)
        page.put("\n".join(self.tags(game)) + "\n\n")
        self.moves(game)
        page.finish()
        written: str = page.take()
        pages.append(page)
        return written

    def tags(self, game: Game) -> list[str]:
        """The tags in a fixed order, unknown ones after them, the start position and the result last; one at least."""
        headers = game.record.headers
        known = plain(headers, '\\"') if game.variant == ORDINARY else None
        if known is None:
            out = self.header_tags(headers, game.variant == ORDINARY)
        else:
            keys, values = known
            tags = self.planned(_PLANS, keys, keys, _marked).text(values)
            out = [tags] if tags else []
        handicaps = HANDICAPS
        if game.variant != ORDINARY:
            out.append(f'[Variant "{game.variant}"]')
            handicaps = of_variant(game.variant)
        if game.handicap == "other":
            out.append(f'[SFEN "{game.start}"]')
        elif game.handicap != "even":
            out.append(f'[Handicap "{handicaps[game.handicap].en}"]')
            if game.start != handicaps[game.handicap].sfen:
                out.append(f'[SFEN "{game.start}"]')
        if game.winner in RESULTS:
            out.append(f'[Result "{RESULTS[game.winner]}"]')
        elif not out:  # tags tell where the next game begins
            out.append('[Result "*"]')
        self.lose("bookmarks", len(game.record.bookmarks))
        return out

    def header_tags(self, headers: Headers, ordinary: bool) -> list[str]:
        """The tags that are headers of the record; ``ordinary`` where that is the kind of shogi."""
        found, others = self.sorted_headers(headers, SLOTS)
        if not ordinary:
            kept = [header for header in others if header[0] not in ("Variant", "variant")]
            self.lose("headers", len(others) - len(kept))  # which said something else; the tag below is right
            others = kept
        out = [f'[{tag} "{quoted(value)}"]' for tag, value in zip(WRITE_TAGS.values(), found, strict=True) if value]
        for key, value in others:
            tag = key if key in CANONICAL else key.lstrip("$")  # `$MAX_MOVES` is known by its whole name
            if tag.isascii() and tag.isidentifier():
                out.append(f'[{tag} "{quoted(value)}"]')
            else:
                out.append(f'[Header "{quoted(key + ": " + value)}"]')
        self.lose("headers", sum("\n" in value for value in [*found, *(value for _, value in others)]))
        return out

    def moves(self, game: Game) -> None:
        """The words of the move text; variations by an explicit stack."""
        record, page, proven = game.record, self.page, game.proven
        children: dict[int, list[int]] = {}  # lines that are not written yet by their parent, the next one last
        for number in range(len(record.lines) - 1, 0, -1):
            if game.line_plies[number]:
                children.setdefault(record.lines[number].parent, []).append(number)
        branching = set(children)
        self.branches = 0
        position = Position(game.start, game.variant)
        page.begin(position)
        page.remarks(-1)
        speller: WesternPage | BoardsPage = page
        if game.variant != ORDINARY:
            from kifu.notation.western_boards_page import BoardsPage

            speller = BoardsPage(page, game, position, self.spelling)
        # A frame: line number, index of its next move, whether a number is due, plies from Black's first to that move.
        stack: list[list[int]] = [[0, 0, 1, 1 if position.turn else 0]]
        while stack:
            frame = stack[-1]
            number, index, due, slot = frame
            line = record.lines[number]
            stop = line.first + game.line_plies[number]
            if index < stop:
                begins = index == line.first
                frame[1] = speller.plies(index, stop, slot, begins and number > 0, bool(due),
                                         line.parent if begins else index - 1, branching)
                frame[2], frame[3] = int(speller.commented), slot + frame[1] - index
            elif number:
                self.branch_end(game, number)
                page.close()
                for _ in range(index - line.first):
                    position.undo()
                stack.pop()
                # The bracket stood behind the move it replaces: play that one again.
                position.play(proven[stack[-1][1] - 1])
            else:
                break
            if branching:
                self.open_branch(game, children, stack, position)
        self.lose("braces in comments", page.braces)
        self.lose("variations", len(record.lines) - 1 - self.branches)
        self.end(game)

    def open_branch(self, game: Game, children: dict[int, list[int]], stack: list[list[int]],
                    position: Position) -> None:
        """Begin the next variation that replaces the move just written, taking that move back first."""
        frame = stack[-1]
        index = frame[1] - 1
        line = game.record.lines[frame[0]]
        if index == line.first and frame[0]:  # the line that it leaves writes its siblings
            return
        waiting = children.get(line.parent if index == line.first else index - 1)
        if waiting:
            number = waiting.pop()
            self.branches += 1
            position.undo()
            frame[2] = 1
            stack.append([number, game.record.lines[number].first, 1, frame[3] - 1])

    def branch_end(self, game: Game, number: int) -> None:
        """The end word of a variation, where it says all that is known; there is no result behind it."""
        line = game.record.lines[number]
        claimed = line.end
        if game.line_plies[number] < line.last - line.first:
            self.branch_foul(game, number, counted=("bookmarks",))
            return
        if claimed is None:
            return
        plies = line.number - 1 + line.last - line.first
        mover = game.record.to_move(plies)
        word = ends.WESTERN_WRITE.get(claimed.reason)
        if word is None or ends.side(ends.WINNERS[claimed.reason], mover) != claimed.winner:
            self.lose("end")
            self.comment(claimed.raw)
            self.lose("clocks", int(claimed.milliseconds is not None))
            return
        self.page.add(word)
        if claimed.milliseconds is not None:
            self.page.clock(claimed.milliseconds)

    def end(self, game: Game) -> None:
        """The end word and the result."""
        claimed, page = game.record.end, self.page
        if game.verdict == "foul" and game.illegal_move is not None:
            self.lose("illegal final move")
            if among_moves(game):
                self.lose("comments", sum(behind == game.plies + 1 for behind in game.record.notes[1::NOTE]))
                self.lose("clocks", game.record.milliseconds(game.plies) is not None)
            self.comment(f"illegal: {game.illegal_move['text']}")
        if claimed is not None:
            word = ends.WESTERN_WRITE.get(claimed.reason)
            if ends.misleads(claimed, game.record.to_move(game.plies)):  # the result that follows is right
                word = None
            if claimed.reason == "illegal" and self.fouled(game):
                word = "IllegalMove"
            if word is not None:
                page.add(word)
            elif claimed.reason != "other" or not claimed.raw.startswith(tuple(RESULTS.values())):
                self.lose("end")
                self.comment(claimed.raw)
            if claimed.milliseconds is not None:
                if word is not None:
                    page.clock(claimed.milliseconds)
                else:
                    self.lose("clocks")
        page.add(RESULTS.get(game.winner, "*"))

    def fouled(self, game: Game) -> bool:
        """Whether the side to move behind the legal moves is the one that broke a rule, as `IllegalMove` says."""
        return game.winner == ends.opponent(game.record.to_move(game.plies))

    def comment(self, text: str) -> None:
        """A comment of the writer's own; braces inside it are counted as lost."""
        before = self.page.braces
        self.page.comment(text)
        self.lose("braces in comments", self.page.braces - before)


def new_page(style: str) -> WesternPage:
    """A page for a style."""
    chosen = STYLES[style]
    words = any(len(name) > 2 for name in chosen.names.values())
    return WesternPage(long_names(chosen.names) if words else pairs(chosen.names), chosen)


def _marked(writer: WesternWriter, headers: Headers) -> list[str]:
    return writer.header_tags(headers, True)


def quoted(value: str) -> str:
    """A tag value with its quotes and backslashes escaped, on one line."""
    return value.replace("\n", " ").replace("\\", "\\\\").replace('"', '\\"')
