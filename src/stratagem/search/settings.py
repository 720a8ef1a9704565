"""All settings of the search, with the meaning of their special values."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class SearchSettings(BaseModel):
    """The settings of a search. The defaults are those of Battlefield's training runs."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    sims: int = Field(64, ge=1, description="simulations per decision")
    root: Literal["puct", "gumbel"] = Field("puct", description="how the root chooses its edges")
    c_init: float = Field(1.5, ge=0, description="exploration constant of the PUCT rule")
    c_base: float = Field(19652.0, ge=0, description="visits over which it grows; 0: constant")
    fpu_reduction: float = Field(
        0.2,
        description="an untried action is worth its node's value minus this times the square root "
        "of the prior mass already tried; negative: worth 0",
    )
    noise_fraction: float = Field(0.25, ge=0, le=1, description="share of root noise; 0: none")
    noise_total: float = Field(
        10.0, gt=0, description="Dirichlet alpha times the number of legal actions"
    )
    leaves_per_tree: int = Field(1, ge=1, description="leaves evaluated together in one tree")
    virtual_loss: float = Field(1.0, ge=0, description="loss lent to a leaf under evaluation")
    reuse: bool = Field(True, description="keep the subtree of the move that was played")
    count_reused: bool = Field(True, description="visits kept from the last move count as sims")
    determinizations: int = Field(
        4, ge=1, description="trees per decision, each with its own guess at what is hidden"
    )
    stratified_chance: bool = Field(
        False,
        description="take chance outcomes in a fixed order, in proportion to their probabilities, "
        "and the same ones below every move, instead of drawing each at random",
    )
    shaping: float = Field(0.0, ge=0, description="weight of the game's potential; 0: none")
    shaping_discount: float = Field(1.0, gt=0, le=1, description="gamma of the shaping terms")
    margin_share: float = Field(
        0.0, ge=0, le=1, description="share of the margin in points in a finished game's value"
    )
    margin_scale: float = Field(
        30.0, gt=0, description="margin in points that counts as three quarters of a win"
    )
    gumbel_considered: int = Field(16, ge=2, description="root actions that Gumbel's rule tries")
    gumbel_scale: float = Field(0.1, gt=0, description="weight of values against logits in Gumbel")
    fixed_perspective: bool = Field(
        False,
        description="observe every position of a tree from the searching seat, so that a network "
        "can tell itself from its opponent (two seats only)",
    )
    cache: bool = Field(
        True,
        description="cache evaluations: a position that comes up again is not evaluated again",
    )
