"""Western text, the writer: tags and Hodges moves, two a number, variations in brackets.

Source: the 1997 PSN draft and Hodges notation (see `grammars/western.lark`). In handicap games White moves first, so
Black's slot of the first number is an ellipsis.
"""
from __future__ import annotations

from collections.abc import Iterable

from kifu import ends
from kifu.notation.spell import western_move
from kifu.notation.writing import Writer
from kifu.record import CANONICAL, INFO, Game, Line
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.position import Position

WRITE_TAGS = {"black": "Sente", "white": "Gote", "event": "Event", "site": "Site", "start_time": "Date",
              "end_time": "EndDate", "time_control": "TimeControl", "opening": "Opening", "title": "Title",
              "note": "Note", "round": "Round", "annotator": "Annotator"}
RESULTS = {ends.BLACK: "1-0", ends.WHITE: "0-1", ends.DRAW: "1/2-1/2"}
WIDTH = 78


class WesternWriter(Writer):
    """Writes proven games as western text in Hodges notation."""

    NOTATION = "western"
    SEPARATOR = "\n"

    def write(self, game: Game) -> str:
        out = self.tags(game)
        out.append("")
        out += wrap(self.moves(game))
        return "\n".join(out) + "\n"

    def tags(self, game: Game) -> list[str]:
        """The tags in a fixed order, unknown ones after them, the start position and the result last."""
        found: dict[str, str] = {}
        others: list[tuple[str, str]] = []
        for key, value in game.record.headers:
            canonical = CANONICAL.get(key, key)
            if canonical in ("handicap", "sfen", "result", "version", "view") or not value:
                continue
            if canonical in WRITE_TAGS and canonical not in found:
                found[canonical] = value
            else:
                others.append((key, value))
        out = [f'[{tag} "{quoted(found[name])}"]' for name, tag in WRITE_TAGS.items() if name in found]
        for key, value in others:
            tag = "".join(char for char in key if char.isascii() and (char.isalnum() or char == "_"))
            if tag and not tag[0].isdigit():
                out.append(f'[{tag} "{quoted(value)}"]')
            else:
                out.append(f'[Header "{quoted(key + ": " + value)}"]')
        if game.handicap == "other":
            out.append(f'[SFEN "{game.start}"]')
        elif game.handicap != "even":
            out.append(f'[Handicap "{HANDICAPS[game.handicap].en}"]')
            if game.start != HANDICAPS[game.handicap].sfen:
                out.append(f'[SFEN "{game.start}"]')
        if game.winner in RESULTS:
            out.append(f'[Result "{RESULTS[game.winner]}"]')
        self.lose("bookmarks", len(game.record.bookmarks))
        return out

    def moves(self, game: Game) -> list[str]:
        """The words of the move text; variations by an explicit stack."""
        record = game.record
        comments = self.comments(game)
        children: dict[int, list[tuple[int, Line]]] = {}
        for number, line in enumerate(record.lines):
            if number and game.line_plies[number]:
                children.setdefault(line.parent, []).append((number, line))
        position = Position(game.start)
        base = 1 if position.turn else 0
        words = self.said(comments.get(-1, ()))
        # A frame: line number, index of its next move, whether a number is due, depth in plies.
        stack: list[list[int]] = [[0, 0, 1, 0]]
        written = {0}
        while stack:
            frame = stack[-1]
            number, index, due, depth = frame
            line = record.lines[number]
            if index >= line.first + game.line_plies[number]:
                if number:
                    words[-1] += ")"
                    for _ in range(index - line.first):
                        position.undo()
                    stack.pop()
                    # The bracket stood behind the move it replaces: play that one again.
                    above = stack[-1]
                    position.play(game.proven[above[1] - 1])
                    self.open_branches(game, children, stack, written, words, position)
                else:
                    break
                continue
            slot = depth + base
            lead = "(" if number and index == line.first else ""
            if slot % 2 == 0:
                words.append(f"{lead}{slot // 2 + 1}.")
            elif due:
                words.append(f"{lead}{slot // 2 + 1}. ...")
            words.append(western_move(position, game.proven[index]))
            position.play(game.proven[index])
            time = record.info[INFO * index + 3]
            if time >= 0:
                words.append(clock(time))
            said = self.said(comments.get(index, ()))
            words += said
            frame[1], frame[2], frame[3] = index + 1, int(bool(said)), depth + 1
            self.open_branches(game, children, stack, written, words, position)
        self.lose("variations", len(record.lines) - len(written))
        self.end(game, words)
        return words

    def open_branches(self, game: Game, children: dict[int, list[tuple[int, Line]]], stack: list[list[int]],
                      written: set[int], words: list[str], position: Position) -> None:
        """Begin the next variation that replaces the move just written, taking that move back first."""
        frame = stack[-1]
        index = frame[1] - 1
        line = game.record.lines[frame[0]]
        parent = line.parent if index == line.first else index - 1
        for number, branch in children.get(parent, ()):
            first_child = index == line.first and frame[0] != 0
            if number not in written and not first_child:
                written.add(number)
                position.undo()
                frame[2] = 1
                stack.append([number, branch.first, 1, frame[3] - 1])
                return

    def said(self, comments: Iterable[tuple[str, str]]) -> list[str]:
        """Comments and glyphs behind a move."""
        return [text if kind == "nag" else self.comment(text) for kind, text in comments]

    def comment(self, text: str) -> str:
        """A comment in braces; braces inside would end it and become brackets."""
        self.lose("braces in comments", text.count("}") + text.count("{"))
        return "{" + text.replace("{", "(").replace("}", ")") + "}"

    def end(self, game: Game, words: list[str]) -> None:
        """The end word and the result."""
        claimed = game.record.end
        if game.verdict == "foul" and game.illegal_move is not None:
            self.lose("illegal final move")
            words.append(self.comment(f"illegal: {game.illegal_move['text']}"))
        elif claimed is not None:
            word = ends.WESTERN_WRITE.get(claimed.reason)
            if word is not None:
                words.append(word)
            elif claimed.reason != "other" or not claimed.raw.startswith(tuple(RESULTS.values())):
                self.lose("end")
                words.append(self.comment(claimed.raw))
            if claimed.milliseconds is not None:
                words.append(clock(claimed.milliseconds))
        words.append(RESULTS.get(game.winner, "*"))


def quoted(value: str) -> str:
    """A tag value with its quotes and backslashes escaped, on one line."""
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')


def clock(milliseconds: int) -> str:
    """Thought for a move as `(0:12)` or `(0:12.5)`."""
    seconds, part = divmod(milliseconds, 1000)
    text = f"{seconds // 60}:{seconds % 60:02}"
    return f"({text}.{part:03})" if part else f"({text})"


def wrap(words: list[str]) -> list[str]:
    """Words to lines of at most `WIDTH` characters; a comment with line ends keeps them."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
