"""Analysis routes: hints, candidates, the value graph, search trees, comparing two agents."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from stratagem.web.routes.parts import REFUSALS, LivePart, ReviewPart, reply, reply_list
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

router = APIRouter(prefix="/api/sessions/{name}", responses=REFUSALS, tags=["analysis"])


@router.post("/hint", response_model=Analysis)
async def hint(review: ReviewPart) -> Response:
    """What the adviser would do; numbers are from the deciding seat's point of view."""
    return reply(await review.analyst.hint())


@router.post("/analyse", response_model=Analysis)
async def analyse(review: ReviewPart, wanted: Analyse) -> Response:
    """Search a position; answers when done, sends interim answers over the WebSocket."""
    return reply(
        await review.analyst.analyse(
            wanted.ply, wanted.agent, wanted.maxVisits, wanted.reportDuringSearchEvery
        )
    )


@router.get("/analyses", response_model=list[Analysis])
async def analyses(live: LivePart) -> Response:
    """Everything that is stored with the game."""
    return reply_list(Analysis, await live.reading(live.notes.all))


@router.post("/compare", response_model=Comparison)
async def compare(review: ReviewPart, wanted: Compare) -> Response:
    """Two agents on one position, side by side."""
    found = await asyncio.gather(
        *(
            review.analyst.analyse(wanted.ply, agent, wanted.maxVisits, purpose="compare")
            for agent in wanted.agents
        )
    )
    return reply(Comparison(analyses=list(found)))


@router.post("/tree", response_model=TreeNode)
async def tree(review: ReviewPart, wanted: LookInTree) -> Response:
    """A node of the search tree and its children."""
    return reply(await review.analyst.look_in_tree(wanted))


@router.get("/graph", response_model=ValueGraph)
async def graph(review: ReviewPart) -> Response:
    """Values of every seat over the game, mistakes and luck."""
    return reply(await review.graph())


@router.post("/graph", response_model=ValueGraph)
async def analyse_game(review: ReviewPart, wanted: AnalyseGame) -> Response:
    """Search every decision of the game in the background."""
    return reply(await review.start(wanted.agent, wanted.maxVisits))


@router.post("/analyse-stop", response_model=ValueGraph)
async def stop(review: ReviewPart) -> Response:
    """Stop every search of this game except for a move; findings are kept."""
    return reply(await review.stop())
