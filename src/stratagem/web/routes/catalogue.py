"""Catalogue routes: games, opponents, the leaderboard, the server itself."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response

import stratagem
from stratagem.core.errors import StratagemError
from stratagem.core.registry import game_folders, list_games
from stratagem.core.scenario_files import find_scenarios
from stratagem.web.context import ServerContext
from stratagem.web.leaderboard import (
    ladder_folder,
    leaderboard_folder,
    rating_notes,
    read_leaderboard,
)
from stratagem.web.opponents import describe
from stratagem.web.pictures import has_picture, read_picture
from stratagem.web.routes.parts import REFUSALS, ContextPart, reply, reply_list
from stratagem.web.rulebook import read_rulebook
from stratagem.web.schema import (
    GameInfo,
    GameSetup,
    Leaderboard,
    Limits,
    Rulebook,
    ScenarioInfo,
    ServerInfo,
    Tour,
)
from stratagem.web.tours import has_tour, read_tour

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["what there is"])


@router.get("/info", response_model=ServerInfo)
async def info(context: ContextPart) -> Response:
    """The server's version and limits."""
    limits = context.settings.limits
    return reply(
        ServerInfo(
            version=stratagem.__version__,
            limits=Limits(
                sessions=limits.sessions,
                sims=limits.sims,
                queued_searches=limits.queued,
                message_bytes=limits.message_bytes,
                upload_bytes=limits.upload_bytes,
            ),
            workers=context.settings.workers,
            sessions=await asyncio.to_thread(lambda: context.sessions.count),
        )
    )


@router.get("/games", response_model=list[GameInfo])
async def games() -> Response:
    """Every game and its scenarios, without loading any rules."""
    return reply_list(GameInfo, await asyncio.to_thread(_games))


@router.get("/setup", response_model=GameSetup)
async def setup(
    context: ContextPart, game: Annotated[str, Query(min_length=1, max_length=200)]
) -> Response:
    """Seats and opponents of one game and scenario, with their measured strength."""
    return reply(await asyncio.to_thread(_setup, context, game))


@router.get("/rules", response_model=Rulebook)
async def rules(game: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """The rules of a game, for people who play it."""
    return reply(await asyncio.to_thread(read_rulebook, game))


@router.get("/tour", response_model=Tour)
async def tour(game: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """The guided first game."""
    return reply(await asyncio.to_thread(read_tour, game))


@router.get("/picture")
async def picture(game: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """A small PNG of the game."""
    data = await asyncio.to_thread(read_picture, game)
    return Response(data, media_type="image/png", headers={"cache-control": "no-cache"})


@router.get("/leaderboard", response_model=Leaderboard)
async def leaderboard(context: ContextPart) -> Response:
    """Measured matches."""
    return reply(await asyncio.to_thread(_leaderboard, context))


def _games() -> list[GameInfo]:
    folders = game_folders()
    answers = []
    for about, names in list_games():
        scenarios = []
        first = about.recommended_scenario or about.default_scenario
        files = find_scenarios(folders[about.name]) if names else {}
        for name, file in files.items():
            try:
                values = file.values()
            except StratagemError as error:
                values = {"summary": f"damaged: {error}"}
            scenarios.append(
                ScenarioInfo(
                    name=name,
                    spec=f"{about.name}/{name}",
                    title=str(values.get("title", "")) or name,
                    summary=str(values.get("summary", "")),
                    recommended=name == first,
                )
            )
        answers.append(
            GameInfo(
                name=about.name,
                title=about.title,
                summary=about.summary,
                seats=about.seats,
                picture=has_picture(about.name),
                tour=has_tour(about.name),
                version=about.version,
                compile_seconds=about.compile_seconds,
                scenarios=sorted(scenarios, key=lambda one: not one.recommended),
            )
        )
    return answers


def _setup(context: ServerContext, spec: str) -> GameSetup:
    game = context.sessions.load_game(spec)
    notes = rating_notes(ladder_folder(context.settings.leaderboard), game.spec)
    return describe(game, context.runs, _leaderboard(context), notes, context.people)


def _leaderboard(context: ServerContext) -> Leaderboard:
    chosen = context.settings.leaderboard
    return read_leaderboard(leaderboard_folder(chosen), ladder_folder(chosen))
