"""A game session in the terminal: one person against an agent, with moves as text and hints."""

from __future__ import annotations

from collections.abc import Iterator

from stratagem.agents import make_agent
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.core.errors import BadSetting, StratagemError
from stratagem.core.game import Game, as_batch
from stratagem.core.knowledge import choices, is_seen
from stratagem.core.record import Event
from stratagem.core.session import HUMAN, GameSession, SessionSetup
from stratagem.evaluate.analysis import analyse_positions, searching_agent

_LONGEST_MOVE = 1000  # characters; Python itself refuses numbers of more than 4,300 digits


class PlaySession:
    """A game with a person in one seat and the same agent in all others."""

    def __init__(self, game: Game, seat: int, opponent: str, seed: int) -> None:
        if not 0 <= seat < game.num_seats:
            raise BadSetting(f"player {seat + 1}: {game.spec} has players 1 to {game.num_seats}")
        self.seat = seat
        self._agent = make_agent(opponent, game)
        self._adviser: MctsAgent | None = None
        names = [self._agent.spec] * game.num_seats
        names[seat] = HUMAN
        self.session = GameSession(game, SessionSetup.new(game, names, seed))

    def board(self) -> str:
        """The position as the person may see it."""
        session, notation = self.session, self.session.game.rules.notation
        if session.viewer is None:
            return notation.format_state(session.state)
        text = notation.format_state(session.seen_by(self.seat))
        return f"{text}\n(everything that you cannot see is a random guess)"

    def moves(self) -> list[str]:
        """Return the person's legal moves in notation."""
        session = self.session
        return [session.text(action) for action in session.game.legal_actions(session.state)]

    def described_moves(self) -> list[str]:
        """Return the same with a sentence for each: `road 12-13  Build a road along wheat 5`."""
        session, texts = self.session, self.moves()
        sentences = choices(session.game, session.state, session.viewer, session.reader)
        width = max(map(len, texts))
        return [
            f"{text:<{width}}  {sentence}" if differs(sentence, text) else text
            for text, sentence in zip(texts, sentences, strict=True)
        ]

    def read_move(self, text: str) -> int:
        """Parse a legal action from notation, or from its number in `moves` (`3` or `#3`)."""
        game, state = self.session.game, self.session.state
        if len(text) > _LONGEST_MOVE:
            raise BadSetting(f"move {text[:20]!r}… is too long: write one from the list")
        legal = game.legal_actions(state)
        number = text.removeprefix("#").strip()
        if not text.startswith("#"):
            try:
                action = game.rules.notation.parse_action(state, text)
            except StratagemError as error:
                if not number.isdecimal():
                    raise BadSetting(str(error)) from None
            else:
                if action in legal:
                    return action
                if not number.isdecimal():
                    raise BadSetting(f"move {text!r} is not legal here")
        if number.isdecimal() and 1 <= int(number) <= len(legal):
            return legal[int(number) - 1]
        raise BadSetting(f"move {text!r}: write a move or its number from 1 to {len(legal)}")

    def play(self, action: int) -> Iterator[str]:
        """Play the person's move and what follows it; yield lines of text."""
        yield self._sentence(self.session.play(action))
        yield from self.advance()

    def advance(self) -> Iterator[str]:
        """Play dice and the agent's moves until the person decides or the game ends."""
        seats = range(self.session.game.num_seats)
        others = {seat: self._agent for seat in seats if seat != self.seat}
        for event in self.session.advance(others):
            yield self._sentence(event)

    def _sentence(self, event: Event) -> str:
        """Return the newest event as a sentence, with its code; hidden events stay hidden."""
        session = self.session
        before, viewer = session.states[-2], None if session.is_finished else self.seat
        if not is_seen(session.game, before, event.seat, event.action, viewer):
            return "(a hidden card)"
        sentence = session.sentence(session.plies - 1)
        if differs(sentence, event.text):
            return f"{sentence}  [{event.text}]"
        who = f"player {event.seat + 1}" if event.seat >= 0 else "chance"
        return f"{'you' if event.seat == self.seat else who}: {event.text}"

    def hint(self, count: int = 3) -> list[str]:
        """Return the best candidates of a search as lines of text."""
        session = self.session
        if self._adviser is None:
            spec = self._agent.spec if isinstance(self._agent, MctsAgent) else ""
            self._adviser = searching_agent(spec, session.game)
        seen = as_batch(session.seen_by(self.seat))
        turn = analyse_positions(session.game, self._adviser, seen, [0], [], session.setup.seed)[0]
        return [
            f"hint {move.order + 1}: {move.move} (prior {100 * move.prior:.0f} %, "
            f"{move.visits} of {turn.visits} visits, value {move.value:+.2f})"
            for move in turn.moves[:count]
            if move.value is not None
        ]


def differs(sentence: str, text: str) -> bool:
    """Whether a sentence says more than the notation: games need not have sentences."""
    return sentence.casefold() != text.casefold()
