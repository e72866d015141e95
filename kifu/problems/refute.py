"""The proof that there is no mate at all, however long.

A search of so many plies can only say that no mate is as short. What proves more is a set of positions, the attacker
to move in each, such that after each of his checks the defender has a reply that leads into the set again, or to where
no check is left. If any of them were a mate, take the one that mates fastest: the defender's reply leads to another
that mates faster still. So none is, and perpetual check wins nothing. A position with fewer men in the attacker's
hand than a member counts as a member.
"""
from __future__ import annotations

from kifu.problems.search import MOST_PLIES, Search
from kifu.problems.table import GUARD_BITS, NO_MATE
from kifu.rules.move import DROPPED


def never_mates(search: Search, ahead: int, most: int) -> bool | None:
    """Whether the position is proven to hold no mate; None where no proof was found with so much effort.

    ``ahead`` is how many plies a reply is looked into before it is trusted, ``most`` the number of positions gone
    through. A mate that comes to light on the way is kept in the search's table. The board is left as it was.
    """
    depth = search.depth
    left = most
    while left > 0 and not search.stopped:
        proof = _Set(search, ahead, left)
        answer = proof.complete()
        left -= 1 + proof.seen
        while search.depth > depth:
            search.undo()
        if answer is not None:
            return answer
        if search.bounds()[1] < NO_MATE:
            return None
    return None


class _Set:
    """A set under construction. It is walked in depth, by a stack of its own."""

    def __init__(self, search: Search, ahead: int, most: int) -> None:
        self.search = search
        self.ahead = min(ahead, MOST_PLIES - 2)
        self.most = most
        self.seen = 0
        self.longest = 0  # plies to mate after the reply that holds out longest, where every reply mates
        self.members: dict[int, list[int]] = {}

    def complete(self) -> bool | None:
        """True once the set is closed; None where it cannot be (a member turned out to mate) or limits were hit."""
        search = self.search
        stack: list[list[int]] = []
        if search.turn == search.side:
            stack.append(self.enter())
        elif not self.reply(stack):
            search.within(min(self.longest + 1, MOST_PLIES))  # keep that this is a mate
            return None
        while stack:
            if self.seen > self.most or search.stopped:
                return None
            checks = stack[-1]
            if not checks:
                stack.pop()
                if stack:
                    search.undo()  # the reply that led here
                    search.undo()  # and the check before
                continue
            search.play(checks.pop())
            entered = len(stack)
            if not self.reply(stack):
                search.undo()
                search.within(min(self.longest + 2, MOST_PLIES))  # keep that this is a mate
                return None
            if len(stack) == entered:
                search.undo()
        return True

    def enter(self) -> list[int]:
        """Take the position in; returns the checks that must be answered."""
        key, hand = self.search.standing()
        self.members.setdefault(key, []).append(hand)
        self.seen += 1
        return self.search.attacking_moves()

    def holds(self, key: int, hand: int) -> bool:
        """Whether a position is in the set, or has fewer men in the attacker's hand than one that is."""
        members = self.members.get(key)
        return members is not None and any(
            (member | GUARD_BITS) - hand & GUARD_BITS == GUARD_BITS for member in members)

    def reply(self, stack: list[list[int]]) -> bool:
        """Find the defender's reply and, if it leads out of the set, play it and take its position in.

        False where every reply mates soon or nothing is known for want of time. Drops come last: they leave the
        attacker a man to take, and are many.
        """
        moves = self.search.legal_moves()
        self.longest = 0
        return (self.reply_among(stack, [move for move in moves if not move & DROPPED])
                or self.reply_among(stack, [move for move in moves if move & DROPPED]))

    def reply_among(self, stack: list[list[int]], moves: list[int]) -> bool:
        """`reply` with one of these moves."""
        search = self.search
        ranked = []
        for move in moves:
            search.play(move)
            least, most = search.bounds()
            known = least == NO_MATE or most == NO_MATE and self.holds(*search.standing())
            checks = len(search.attacking_moves()) if most == NO_MATE and not known else 0
            search.undo()
            if known or most == NO_MATE and not checks:
                return True
            if most == NO_MATE:
                ranked.append((-least, checks, move))
            else:
                self.longest = max(self.longest, most)
        for *_, move in sorted(ranked):
            search.play(move)
            if search.within(self.ahead) is False:
                stack.append(self.enter())
                return True
            self.longest = max(self.longest, self.ahead)
            search.undo()
        return False
