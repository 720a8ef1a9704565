"""Conformance of text and players: notation, records and scripted players."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from stratagem.core.conformance.failure import NonConformance, require, trying
from stratagem.core.conformance.playing import Played, Trajectory
from stratagem.core.errors import StratagemError
from stratagem.core.game import Game
from stratagem.core.record import read_record, record_game, replay, write_record
from stratagem.core.seats import CHANCE
from stratagem.core.seeding import derive_seeds
from stratagem.core.sentences import LONGEST, Reader, as_choice, as_event

_NONSENSE = "\u00bfno such move?"
_RECORDED = 3
_DRAWN = 30


def check_notation(game: Game, played: Played) -> None:
    """The text of every legal action is one line, unique in its position, and can be parsed."""
    notation = game.rules.notation
    for state in played.decisions:
        texts: dict[str, int] = {}
        for action in game.legal_actions(state):
            with trying(f"format_action({action})"):
                text = notation.format_action(state, action)
            require(
                bool(text.strip()) and "\n" not in text,
                f"format_action({action}) returned {text!r}: return one line of text",
            )
            require(text not in texts, f"actions {texts.get(text)} and {action} both read {text!r}")
            texts[text] = action
            with trying(f"parse_action({text!r})"):
                found = notation.parse_action(state, text)
            require(found == action, f"action {action} reads {text!r}, which parses to {found}")
    for state in played.chances:
        outcomes = [outcome for outcome, _ in game.chance_outcomes(state)]
        with trying("format_action of a chance outcome"):
            words = {notation.format_action(state, outcome) for outcome in outcomes}
        require(
            len(words) == len(outcomes), f"two chance outcomes have the same text: {sorted(words)}"
        )
    for state in played.everything[:_DRAWN]:
        with trying("format_state"):
            require(bool(notation.format_state(state)), "format_state returned an empty text")
    _check_nonsense(game, played)


def check_sentences(game: Game, played: Played) -> None:
    """Every decision and every chance outcome has a short sentence of its own."""
    if game.rules.notation.describe is None:
        return
    reader = Reader.of(game.num_seats, you=0)
    for state in played.decisions:
        sentences: dict[str, int] = {}
        for action in game.legal_actions(state):
            with trying(f"describe({action})"):
                after = game.after(state, action)
                texts = [game.describe(state, action, known) for known in (after, None)]
                sentence = as_choice(texts[0], reader)
                happened = [as_event(text, int(state["seat"]), reader) for text in texts]
            for text in (sentence, *happened):
                _check_sentence(text, action)
            require(
                sentence not in sentences,
                f"actions {sentences.get(sentence)} and {action} are both described as "
                f"{sentence!r}: make them different",
            )
            sentences[sentence] = action
    for state in played.chances:
        for outcome, _ in game.chance_outcomes(state):
            with trying(f"describe of chance outcome {outcome}"):
                text = game.describe(state, outcome, game.after(state, outcome))
                sentence = as_event(text, CHANCE, reader)
            _check_sentence(sentence, outcome)


def _check_sentence(text: str, action: int) -> None:
    require(
        bool(text.strip()) and "\n" not in text and "{" not in text,
        f"describe({action}) returned {text!r}: one line, verbs as {{build}}, seats as {{0}}",
    )
    require(len(text) <= LONGEST, f"describe({action}): {len(text)} characters, at most {LONGEST}")


def _check_nonsense(game: Game, played: Played) -> None:
    for state in played.decisions[:1]:
        try:
            action = game.rules.notation.parse_action(state, _NONSENSE)
        except StratagemError:
            continue
        except Exception as error:
            raise NonConformance(
                f"parse_action of nonsense raised {type(error).__name__}: raise BadRecord"
            ) from error
        raise NonConformance(f"parse_action read nonsense as action {action}: raise BadRecord")


def check_record(game: Game, played: Played) -> None:
    """A game written to a file and read back replays to the same position."""
    for trajectory in played.trajectories[:_RECORDED]:
        with tempfile.TemporaryDirectory() as folder, trying("recording and replaying a game"):
            _check_one_record(game, trajectory, Path(folder) / "game.jsonl")


def _check_one_record(game: Game, trajectory: Trajectory, file: Path) -> None:
    agents = ("random",) * game.num_seats
    record = record_game(game, trajectory.setup_seed, list(trajectory.actions), agents)
    write_record(record, file)
    read = read_record(file)
    require(read == record, "a record differs from what was written")
    states = replay(read, game)
    require(
        states.tobytes() == trajectory.states.tobytes(),
        "a replayed game differs from the game that was played",
    )


def check_bots(game: Game, played: Played) -> None:
    """Scripted players choose legal actions, and the same ones for the same seed."""
    states = played.decisions
    seeds = derive_seeds(0, "conformance", "bots", count=len(states))
    ids, counts = game.legal(states)
    for name, choose in game.rules.bot_kernels.items():
        before = states.tobytes()
        chosen = np.full((2, len(states)), -1, np.int32)
        with trying(f"bot {name!r}"):
            for out in chosen:
                choose(states, seeds, game.width, out)
        require(states.tobytes() == before, f"bot {name!r} changed the state")
        require(bool(np.array_equal(*chosen)), f"bot {name!r} made two choices from one seed")
        for row, action in enumerate(chosen[0]):
            require(
                action in ids[row, : counts[row]], f"bot {name!r} chose illegal action {action}"
            )
