"""Ladders in Markdown: a section for the leaderboard, a table for the README."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stratagem.core.registry import load_game
from stratagem.evaluate.reports import digits

_SEARCH = "mcts:none?sims="


def ladder_section(ladder: dict[str, Any]) -> str:
    """Return all players of one ladder, strongest first."""
    (_, *header), rows = ladder_rows(ladder)
    cells = [[rank, f"`{agent}`", *rest] for rank, agent, *rest in rows]
    return f"## {ladder['game']}\n\n{_caption(ladder)}\n\n{_markdown(['', *header], cells)}\n"


def ladder_rows(ladder: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return (header, one row per player, strongest first)."""
    many = ladder["seats"] > 2
    header = ["rank", "agent", "help", "rating", "95 % interval", "score", "games"]
    header += ["ms per decision", *(["mean rank", "share of points"] if many else [])]
    rows = []
    for rank, one in enumerate(ladder["agents"], start=1):
        rating = one["rating"]
        cells = [
            str(rank), one["agent"], one["help"], f"{rating['rating']:.0f}",
            f"{rating['low']:.0f} to {rating['high']:.0f}", f"{one['score']:.3f}",
            str(one["games"]), f"{one['decision_ms']:.1f}",
        ]  # fmt: skip
        if many:
            cells += [digits(one["mean_rank"], 3), digits(one["share_of_points"], 3)]
        rows.append(cells)
    return header, rows


def strength_table(ladders: Sequence[dict[str, Any]]) -> str:
    """Return shipped players next to the strongest bot and the strongest plain search."""
    rows = []
    for ladder in ladders:
        agents = {one["agent"]: one for one in ladder["agents"]}
        if "best" not in agents:
            continue
        bots = load_game(ladder["game"]).rules.bots
        plain = [a for name, a in agents.items() if name.startswith(_SEARCH) and "&" not in name]
        place = list(agents).index("best") + 1
        rows.append(
            [
                f"`{ladder['game']}`",
                _rating(agents["best"]),
                f"{place} of {len(agents)}",
                agents["best"]["help"],
                _strongest([one for name, one in agents.items() if name in bots]),
                _strongest(plain),
            ]
        )
    header = ["scenario", "`best`", "place", "help", "strongest bot", "strongest search alone"]
    return _markdown(header, rows)


def _caption(ladder: dict[str, Any]) -> str:
    text = (
        f"Bradley-Terry ratings on the Elo scale, with `{ladder['anchor']}` at 0. The score is the "
        f"mean over all opponents; 0.5 is even. Measured at commit {ladder['commit']}, "
        f"{ladder['date']}, "
        f"`stratagem ladder {ladder['game']} --seed {ladder['seed']}`."
    )
    if ladder["seats"] > 2:
        parity = ladder["parity"]
        text += (
            f" With {ladder['seats']} seats, mean rank and share of points come from the games "
            f"in which the agent had one seat; even is {parity['mean_rank']:g} and "
            f"{parity['share_of_points']:.3f}."
        )
    if not ladder["done"]:
        text += " The budget ran out before every interval was as narrow as asked."
    return text


def _rating(one: dict[str, Any]) -> str:
    rating = one["rating"]
    return f"{rating['rating']:.0f} ({rating['low']:.0f} to {rating['high']:.0f})"


def _strongest(agents: Sequence[dict[str, Any]]) -> str:
    if not agents:
        return ""
    best = max(agents, key=lambda one: float(one["rating"]["rating"]))
    return f"`{best['agent']}` {_rating(best)}"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
