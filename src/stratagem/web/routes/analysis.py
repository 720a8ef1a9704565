"""Routes of analysis: hints, candidates, the value graph, search trees, two agents compared."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from stratagem.web.routes.parts import REFUSALS, TablePart, reply, reply_list
from stratagem.web.schema import (
    Analyse,
    AnalyseGame,
    Analysis,
    Compare,
    Comparison,
    LookInTree,
    TreeNode,
    ValueGraph,
)

router = APIRouter(prefix="/api/tables/{name}", responses=REFUSALS, tags=["analysis"])


@router.post("/hint", response_model=Analysis)
async def hint(opened: TablePart) -> Response:
    """What the adviser would do; numbers take the view of the seat that decides."""
    return reply(await opened.analyst.hint())


@router.post("/analyse", response_model=Analysis)
async def analyse(opened: TablePart, wanted: Analyse) -> Response:
    """Search a position; answers when done, interim answers go to the WebSocket."""
    return reply(
        await opened.analyst.analyse(
            wanted.ply, wanted.agent, wanted.maxVisits, wanted.reportDuringSearchEvery
        )
    )


@router.get("/analyses", response_model=list[Analysis])
async def analyses(opened: TablePart) -> Response:
    """Everything that is stored with the table."""
    return reply_list(Analysis, await opened.session.reading(opened.session.notes.all))


@router.post("/compare", response_model=Comparison)
async def compare(opened: TablePart, wanted: Compare) -> Response:
    """Two agents on one position, side by side."""
    found = await asyncio.gather(
        *(
            opened.analyst.analyse(wanted.ply, agent, wanted.maxVisits, purpose="compare")
            for agent in wanted.agents
        )
    )
    return reply(Comparison(analyses=list(found)))


@router.post("/tree", response_model=TreeNode)
async def tree(opened: TablePart, wanted: LookInTree) -> Response:
    """A node of the search tree and its children."""
    return reply(await opened.analyst.look_in_tree(wanted))


@router.get("/graph", response_model=ValueGraph)
async def graph(opened: TablePart) -> Response:
    """Values of every seat over the game, mistakes and luck."""
    return reply(await opened.review.graph())


@router.post("/graph", response_model=ValueGraph)
async def analyse_game(opened: TablePart, wanted: AnalyseGame) -> Response:
    """Search every decision of the game in the background."""
    return reply(await opened.review.start(wanted.agent, wanted.maxVisits))


@router.post("/analyse-stop", response_model=ValueGraph)
async def stop(opened: TablePart) -> Response:
    """End every search of this table but that for a move; what was found is kept."""
    return reply(await opened.review.stop())
