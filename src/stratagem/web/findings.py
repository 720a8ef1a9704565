"""Describes a grown forest as plain data with KataGo's names.

All numbers of a position are from the point of view of its deciding seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.core.errors import BadSetting
from stratagem.core.game import Game, States, as_batch
from stratagem.core.seats import CHANCE, OVER
from stratagem.core.sentences import Reader, as_choice, as_event
from stratagem.evaluate.analysis import candidates_of, mark_of
from stratagem.search import Branch, Forest, RootReport, TreePoint
from stratagem.web.drawing import touches
from stratagem.web.schema.drawing import scene_json
from stratagem.web.sight import draw

_LINE = 10  # moves in a line of play
_LINES = 12  # candidates with a line of play


def describe_positions(agent: MctsAgent, forest: Forest, states: States) -> list[dict[str, Any]]:
    """Return rootInfo and moveInfos of each position from which the forest's trees were grown."""
    report = agent.report(forest, len(states))
    return [_position(agent, forest, report, states[row], row) for row in range(len(states))]


def _position(
    agent: MctsAgent, forest: Forest, report: RootReport, state: Any, row: int
) -> dict[str, Any]:
    seat = int(state["seat"])
    trees = range(row * agent.guesses, (row + 1) * agent.guesses)
    moves = _moves(agent.game, forest, report, state, row, trees)
    value = float(report.root_values[row])
    return {
        "rootInfo": {
            "visits": int(report.visits[row].sum()),
            "winrate": (value + 1.0) / 2.0,
            "value": value,
            "scoreLead": moves[0]["scoreLead"] if moves else None,
            "currentPlayer": seat,
            "values": _seat_values(agent, forest, trees, seat, value),
        },
        "moveInfos": moves,
    }


def describe_tree(
    game: Game, forest: Forest, path: tuple[int, ...], limit: int, is_guess: bool
) -> dict[str, Any]:
    """Return a node of the first tree and its children."""
    tree = forest.view(0)
    point = tree.follow(path)
    if point is None:
        raise BadSetting("the search never reached this node: choose a child with visits")
    texts, here = [], tree.read()
    for step, action in enumerate(path):
        texts.append(_sentence(game, here.state, action))
        behind = tree.follow(path[: step + 1])
        assert behind is not None  # the whole path was followed above
        here = behind
    return {
        "path": list(path),
        "texts": texts,
        "kind": _kind(point.seat),
        "seat": point.seat,
        "visits": point.visits,
        "value": point.value,
        "scene": scene_json(draw(game, as_batch(point.state), None)),
        "facts_hidden": is_guess,
        "children": [_child(game, point, branch) for branch in point.branches[:limit]],
        "total_children": len(point.branches),
    }


def _moves(
    game: Game, forest: Forest, report: RootReport, state: Any, row: int, trees: range
) -> list[dict[str, Any]]:
    answers = []
    for one in candidates_of(game, report, row, state):
        line = _line(forest, trees, one.action) if one.order < _LINES and one.visits else []
        pv, actions, sentences, touched = _line_text(game, state, one.action, line)
        answers.append(
            {
                "move": one.move,
                "sentence": as_choice(
                    _describe(game, state, one.action), Reader.of(game.num_seats)
                ),
                "action": one.action,
                "order": one.order,
                "visits": one.visits,
                "winrate": one.winrate,
                "value": one.value,
                "scoreLead": _lead(game, line[-1].state, int(state["seat"])) if line else None,
                "prior": one.prior,
                "loss": one.loss,
                "pv": pv,
                "pvActions": actions,
                "pvTouches": touched,
                "line": sentences,
                "touches": touches(game, state, one.action),
                "mark": "" if one.loss is None else mark_of(one.loss),
            }
        )
    return answers


def _line(forest: Forest, trees: range, action: int) -> list[TreePoint]:
    """Return the most visited line after an action, over all guesses at what is hidden."""
    lines = [forest.view(tree).line_of_play(action, _LINE) for tree in trees]
    return max(lines, key=lambda line: (line[0].visits if line else 0, len(line)))


def _line_text(
    game: Game, state: Any, action: int, line: list[TreePoint]
) -> tuple[list[str], list[int], list[str], list[list[str]]]:
    """Return a line of play: as codes, as actions, as sentences, and as keys of shapes."""
    texts = [game.rules.notation.format_action(state, action)]
    actions = [action]
    sentences = [_sentence(game, state, action)]
    touched = [touches(game, state, action)]
    for point in line[:-1]:
        chosen = point.branches[0].action  # the most visited, as when the line was followed
        texts.append(_text(game, point.state, chosen, point.seat))
        actions.append(chosen)
        sentences.append(_sentence(game, point.state, chosen))
        touched.append([] if point.seat == CHANCE else touches(game, point.state, chosen))
    return texts, actions, sentences, touched


def _describe(game: Game, state: Any, action: int) -> str:
    """Describe an action without its consequences if they depend on a guess."""
    return game.describe(state, action, None if game.has_hidden else game.after(state, action))


def _sentence(game: Game, state: Any, action: int) -> str:
    return as_event(_describe(game, state, action), int(state["seat"]), Reader.of(game.num_seats))


def _seat_values(
    agent: MctsAgent, forest: Forest, trees: range, seat: int, value: float
) -> list[float]:
    if agent.game.num_seats == 2:
        return [value if seat == 0 else -value, value if seat == 1 else -value]
    means = [forest.view(tree).seat_means(agent.evaluator) for tree in trees]
    values = [float(number) for number in np.mean(means, axis=0)]
    values[seat] = value
    return values


def _lead(game: Game, state: Any, seat: int) -> float:
    """Return a seat's points minus those of the best other seat."""
    scores = game.scores(as_batch(state))[0]
    others = np.delete(scores, seat)
    return float(scores[seat] - (others.max() if len(others) else 0.0))


def _child(game: Game, point: TreePoint, branch: Branch) -> dict[str, Any]:
    return {
        "action": branch.action,
        "text": _text(game, point.state, branch.action, point.seat),
        "sentence": _sentence(game, point.state, branch.action),
        "prior": branch.prior,
        "visits": branch.visits,
        "value": branch.value,
        "kind": "unvisited" if branch.seat is None else _kind(branch.seat),
        "seat": branch.seat,
        "children": branch.branches,
        "touches": touches(game, point.state, branch.action),
    }


def _text(game: Game, state: Any, action: int, seat: int) -> str:
    text = game.rules.notation.format_action(state, action)
    return f"[{text}]" if seat == CHANCE else text


def _kind(seat: int) -> str:
    return "chance" if seat == CHANCE else "over" if seat == OVER else "decision"
