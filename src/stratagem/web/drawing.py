"""A session as the page draws it: positions, events, legal actions and dice, as seen by a viewer.

Read-only; drawings are cached until the position is taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from stratagem.core.game import Game, as_batch
from stratagem.core.knowledge import OUTSIDER, choices, ends_turn, is_answer, is_seen, samples_of
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.session import GameSession, result_text
from stratagem.web import shortcuts, sight
from stratagem.web.saved import SessionHeader
from stratagem.web.schema import (
    Dice,
    DiceCount,
    EventInfo,
    FactChange,
    LegalAction,
    Outcome,
    Position,
    Possible,
    Preview,
    Result,
    SessionState,
    Shortcut,
    Status,
    TableInfo,
    Thinking,
)
from stratagem.web.table import View

_FACE_DOWN = "hidden card"
_UNSEEN = "A card that you cannot see changes hands"
_KEPT_POSITIONS = 64
_LISTED_OUTCOMES = 64  # do not list the outcomes of a roll that has more (a deck)

T = TypeVar("T")


@dataclass(frozen=True)
class Activity:
    """What is going on around a game besides its moves."""

    thinking: Thinking | None = None
    error: str | None = None
    paused: bool = False
    pace_ms: int = 600
    adviser: str = ""
    key: str = ""  # lets guests from other machines reach this server


class SessionDrawing:
    """Draws one session and caches the drawings."""

    def __init__(self, session: GameSession) -> None:
        self.session = session
        self._kept: dict[tuple[str, int, int | None], tuple[Any, Any]] = {}
        self._drawn: list[tuple[int, int | None]] = []  # cached positions, oldest first

    def state(
        self,
        header: SessionHeader,
        view: View,
        activity: Activity,
        ply: int | None = None,
        since: int = 0,
    ) -> SessionState:
        """Return everything the page draws; events from `since` on."""
        session, viewer, acts = self.session, view.viewer, view.acts(self.session)
        first = min(since, session.plies)
        return SessionState(
            id=header.id,
            game=session.setup.game,
            title=header.title,
            version=session.setup.version,
            num_seats=session.game.num_seats,
            seats=view.seat_infos(session.setup),
            viewer=None if viewer == OUTSIDER else viewer,
            status=_status(session, activity.paused),
            serious=session.setup.serious,
            pace_ms=activity.pace_ms,
            plies=session.plies,
            position=self.position(session.plies if ply is None else ply, viewer),
            legal=self.legal() if acts else [],
            finish=self._finish() if acts else None,
            trail=[self.event(step, viewer) for step in _trail(session) if acts],
            events=self.events(first, viewer),
            events_from=first,
            dice=self.dice(viewer),
            thinking=activity.thinking,
            result=_result(session),
            possible=_possible(session, view, activity),
            table=_table(session, view, header.id, activity.key),
            error=activity.error,
            adviser=activity.adviser,
            revision=session.revision,
        )

    def position(self, ply: int, viewer: int | None) -> Position:
        """Return the position before event number `ply`."""
        drawn = self._once("position", ply, viewer, self._position)
        # Scenes are large, and long games have many: only the most recently viewed ones are cached.
        self._drawn = [one for one in self._drawn if one != (ply, viewer)] + [(ply, viewer)]
        if len(self._drawn) > _KEPT_POSITIONS:
            self._kept.pop(("position", *self._drawn.pop(0)), None)
        return drawn

    def event(self, ply: int, viewer: int | None) -> EventInfo:
        """Return event number `ply` as the viewer saw it."""
        # An event depends on the position after it, so that position is the cache key.
        return self._once("event", ply + 1, viewer, self._event)

    def events(self, first: int, viewer: int | None) -> list[EventInfo]:
        return [self.event(ply, viewer) for ply in range(first, self.session.plies)]

    def legal(self) -> list[LegalAction]:
        """Return what the deciding person may do; empty if no person decides."""
        if not self.session.waits_for_human:
            return []
        return self._once("legal", self.session.plies, None, self._legal)

    def dice(self, viewer: int | None) -> Dice:
        """Return where the dice come from, and how they fell."""
        counts: dict[str, int] = defaultdict(int)
        expected: dict[str, float] = defaultdict(float)
        rolls = 0
        for ply, event in enumerate(self.session.events):
            if event.seat != CHANCE:
                continue
            rolls += 1
            odds = self._once("odds", ply, viewer, self._odds)
            if odds and self.event(ply, viewer).action is not None:
                counts[event.text] += 1
                for text, probability in odds.items():
                    expected[text] += probability
        seed = str(self.session.setup.seed)
        return Dice(
            seed=None if viewer is not None else seed,
            seal=sha256(seed.encode()).hexdigest(),
            rolls=rolls,
            histogram=[
                DiceCount(text=text, count=counts[text], expected=expected[text])
                for text in sorted(expected, key=_natural)
            ],
        )

    def preview(self, action: int) -> Preview:
        """Show what an action of the deciding person would lead to, as far as they can know."""
        session, game = self.session, self.session.game
        viewer = session.viewer
        samples = samples_of(game, session.state, viewer).copy()
        for row in range(len(samples)):
            samples[row] = game.after(samples[row], action)
        text = session.text(action)
        known = next(one.sentence for one in self.legal() if one.action == action)
        position = _drawn(game, session.plies + 1, samples, viewer)
        before = dict(self.position(session.plies, viewer).scene.facts)
        changes = [
            FactChange(name=name, before=before.get(name, ""), after=value)
            for name, value in position.scene.facts
            if before.get(name, "") != value
        ]
        return Preview(action=action, text=text, sentence=known, position=position, changes=changes)

    def routes(self, piece: str) -> list[Shortcut]:
        """Return where a piece of the deciding person could go by several decisions."""
        session = self.session
        return shortcuts.routes(session.game, session.state, piece, session.reader)

    # -- inside ------------------------------------------------------------------------------

    def _position(self, ply: int, viewer: int | None) -> Position:
        game, state = self.session.game, self.session.states[ply]
        samples = samples_of(game, state, viewer)
        position = _drawn(game, ply, samples, viewer)
        if ply:
            position.event = self.event(ply - 1, viewer)
        return position

    def _event(self, after: int, viewer: int | None) -> EventInfo:
        ply = after - 1
        event, state = self.session.events[ply], self.session.states[ply]
        if not is_seen(self.session.game, state, event.seat, event.action, viewer):
            return EventInfo(
                ply=ply, seat=event.seat, action=None, text=_FACE_DOWN, sentence=_UNSEEN
            )
        known = event_info(self.session, ply)
        if viewer is not None and viewer != event.seat:
            known.forced = False  # knowing that somebody had no choice would reveal what they hold
        return known

    def _finish(self) -> Shortcut | None:
        session = self.session
        if not session.game.rules.about.finish:
            return None

        def find(ply: int, viewer: int | None) -> Shortcut | None:
            return shortcuts.finish(session.game, session.states[ply], session.reader)

        return self._once("finish", session.plies, None, find)

    def _legal(self, ply: int, viewer: int | None) -> list[LegalAction]:
        game, state = self.session.game, self.session.states[ply]
        groups = game.rules.groups(game.scenario)
        sentences = choices(game, state, self.session.viewer, self.session.reader)
        guess = samples_of(game, state, self.session.viewer)[0]
        answers = []
        for action, sentence in zip(game.legal_actions(state), sentences, strict=True):
            text = game.rules.notation.format_action(state, action)
            group = next((g.name for g in groups if g.start <= action < g.stop), "")
            touched = touches(game, state, action)
            answers.append(
                LegalAction(
                    action=action,
                    text=text,
                    sentence=sentence,
                    touches=touched,
                    aims=aims(game, state, action),
                    group=group,
                    ends_turn=ends_turn(game, guess, action),
                )
            )
        return answers

    def _odds(self, ply: int, viewer: int | None) -> dict[str, float]:
        """Return texts and probabilities of a roll; empty if there are many or it is a guess."""
        game = self.session.game
        return _odds(game, samples_of(game, self.session.states[ply], viewer))

    def _once(
        self, what: str, ply: int, viewer: int | None, make: Callable[[int, int | None], T]
    ) -> T:
        """Return the cached value for this position, or create it."""
        state = self.session.states[ply]
        kept = self._kept.get((what, ply, viewer))
        if kept is None or kept[0] is not state:
            kept = state, make(ply, viewer)
            self._kept[what, ply, viewer] = kept
        made: T = kept[1]
        return made


def _status(session: GameSession, paused: bool) -> Status:
    if session.setup.is_record:
        return "record"
    if session.is_finished:
        return "over"
    return "paused" if paused else "running"


def _trail(session: GameSession) -> range:
    """Return the plies of the deciding person's latest steps in a row."""
    if not session.waits_for_human:
        return range(0)
    first = session.plies
    while first and session.events[first - 1].seat == session.seat:
        first -= 1
    return range(first, session.plies)


def _result(session: GameSession) -> Result | None:
    """Return how the game ended, if it has."""
    if not session.is_finished:
        return None
    returns, resigned = session.returns, session.resigned
    return Result(
        reason="finished" if resigned is None else "resigned",
        returns=None if returns is None else list(returns),
        scores=[float(value) for value in session.game.scores(as_batch(session.state))[0]],
        resigned_by=resigned,
        text=result_text(returns, resigned),
    )


def _table(session: GameSession, view: View, name: str, key: str) -> TableInfo | None:
    return view.table.info(session.humans, view.seats, name, key) if view.table else None


def _possible(session: GameSession, view: View, activity: Activity) -> Possible:
    asked, serious = view.acts(session), session.setup.serious
    thinks = activity.thinking
    return Possible(
        act=asked,
        take_back=view.takes_back(session),
        hint=asked and not serious,
        resign=session.is_live and bool(view.seats),
        stop=thinks is not None and thinks.purpose == "move" and not thinks.queued,
        analyse=not (session.is_live and serious),
        download=session.viewer is None,
        routes=asked and bool(session.game.rules.about.finish) and not session.game.has_hidden,
    )


def event_info(session: GameSession, ply: int) -> EventInfo:
    """Return an event with nothing hidden."""
    game, event, state = session.game, session.events[ply], session.states[ply]
    return EventInfo(
        ply=ply,
        seat=event.seat,
        action=event.action,
        text=event.text or game.rules.notation.format_action(state, event.action),
        sentence=session.sentence(ply),
        touches=touches(game, state, event.action),
        answer=event.seat >= 0 and is_answer(game, event.action),
        forced=session.forced(ply) is not None,
    )


def open_position(game: Game, state: Any, ply: int) -> Position:
    """Return a position with nothing hidden."""
    return _drawn(game, ply, as_batch(state), None)


def touches(game: Game, state: Any, action: int) -> list[str]:
    """Return the keys of the shapes that an action concerns; none if the game does not say."""
    hook = game.rules.touches
    return [] if hook is None else list(hook(state, action))


def aims(game: Game, state: Any, action: int) -> list[str]:
    """Those of the touched keys that an action only aims at."""
    hook = game.rules.aims
    return [] if hook is None else list(hook(state, action))


def _drawn(game: Game, ply: int, samples: Any, viewer: int | None) -> Position:
    seats = set(samples["seat"].tolist())
    seat = int(samples["seat"][0])  # where guesses differ (who won?), the first one is used
    returns = None
    if seats == {OVER}:
        values = game.returns(samples)
        if (values == values[0]).all():
            returns = [float(value) for value in values[0]]
    odds = _odds(game, samples) if seats == {CHANCE} else {}
    return Position(
        ply=ply,
        seat=seat,
        scene=sight.draw(game, samples, viewer),
        scores=sight.points(game, samples),
        returns=returns,
        outcomes=[Outcome(text=text, probability=p) for text, p in odds.items()],
    )


def _odds(game: Game, samples: Any) -> dict[str, float]:
    outcomes = game.chance_outcomes(samples[0])
    if len(outcomes) > _LISTED_OUTCOMES:
        return {}
    if any(game.chance_outcomes(other) != outcomes for other in samples[1:]):
        return {}
    odds: dict[str, float] = defaultdict(float)
    for outcome, probability in outcomes:
        odds[game.rules.notation.format_action(samples[0], outcome)] += probability
    return dict(odds)


def _natural(text: str) -> tuple[Any, ...]:
    """Sort key for the order that people expect: `roll 9` before `roll 10`."""
    digits = "".join(letter for letter in text if letter.isdigit())
    words = "".join(letter for letter in text if not letter.isdigit())
    return words, int(digits[:18]) if digits else -1
