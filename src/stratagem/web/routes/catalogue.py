"""Routes about what there is: games, opponents, the ladder, the server itself."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

import stratagem
from stratagem.core.registry import game_folders, list_games
from stratagem.core.toml import read_toml
from stratagem.web.hall import Hall
from stratagem.web.ladder import ladder_folder, read_ladder
from stratagem.web.opponents import describe
from stratagem.web.routes.parts import REFUSALS, HallPart, reply, reply_list
from stratagem.web.schema import (
    GameInfo,
    GameSetup,
    Ladder,
    Limits,
    ScenarioInfo,
    ServerInfo,
)

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["what there is"])


@router.get("/info", response_model=ServerInfo)
async def info(hall: HallPart) -> Response:
    """Who answers, and its limits."""
    limits = hall.settings.limits
    return reply(
        ServerInfo(
            version=stratagem.__version__,
            limits=Limits(
                tables=limits.tables,
                sims=limits.sims,
                queued_searches=limits.queued,
                message_bytes=limits.message_bytes,
                upload_bytes=limits.upload_bytes,
            ),
            workers=hall.settings.workers,
            tables=await asyncio.to_thread(lambda: hall.tables.count),
        )
    )


@router.get("/games", response_model=list[GameInfo])
async def games() -> Response:
    """Every game and its scenarios, without loading any rules."""
    return reply_list(GameInfo, await asyncio.to_thread(_games))


@router.get("/setup", response_model=GameSetup)
async def setup(
    hall: HallPart, game: Annotated[str, Query(min_length=1, max_length=200)]
) -> Response:
    """Seats and opponents of one game and scenario, with what was measured of them."""
    return reply(await asyncio.to_thread(_setup, hall, game))


@router.get("/ladder", response_model=Ladder)
async def ladder(hall: HallPart) -> Response:
    """Measured matches."""
    return reply(await asyncio.to_thread(_ladder, hall))


def _games() -> list[GameInfo]:
    folders = game_folders()
    answers = []
    for about, names in list_games():
        scenarios = []
        for name in names:
            told = read_toml(folders[about.name] / "scenarios" / f"{name}.toml")
            scenarios.append(
                ScenarioInfo(
                    name=name,
                    spec=f"{about.name}/{name}",
                    title=str(told.get("title", "")) or name,
                    summary=str(told.get("summary", "")),
                )
            )
        answers.append(
            GameInfo(
                name=about.name,
                title=about.title,
                summary=about.summary,
                seats=about.seats,
                version=about.version,
                scenarios=scenarios,
            )
        )
    return answers


def _setup(hall: Hall, spec: str) -> GameSetup:
    game = hall.tables.load_game(spec)
    return describe(game, hall.runs, _ladder(hall))


def _ladder(hall: Hall) -> Ladder:
    return read_ladder(ladder_folder(hall.settings.ladder))
