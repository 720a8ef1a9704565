"""The recurrent hex network: one block is repeated, and sees the input each time.

Recall, after Bansal et al. (2022) and "Playing Hex and Counter Wargames using Reinforcement
Learning and Recurrent Neural Networks" (section 3.4): input projection, a recurrent module that
sees the input again at every iteration, and two fully convolutional heads. No weight depends on
the board's size, and the number of iterations is chosen when the network is called.

`style = "paper"` with 256 filters matches the paper's network to the last parameter. The default is
a compact one.
"""

from __future__ import annotations

import copy

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from stratagem.core.settings import SettingsModel
from stratagem.core.specs import ActionSpec, ObservationSpec
from stratagem.nets.layers.fields import FEATURES, DistanceFields
from stratagem.nets.layers.halting import (
    HaltingHead,
    divergence_from_geometric,
    stop_distribution,
)
from stratagem.nets.layers.hex import HexLayer
from stratagem.nets.layers.hex_blocks import CompactBlock, PaperBlock, Style, make_heads
from stratagem.nets.layers.hex_board import HexBoard
from stratagem.nets.output import NetworkOutput, TrainingTerm

SIZE_FREE = True
OPENVINO_CHUNK = 64
_NAME = "network recall"


class Settings(SettingsModel):
    """Sizes of the recurrent network."""

    style: Style = Field("compact", description="compact: normalized, biases; paper: as published")
    filters: int = Field(64, ge=1, description="channels of the iterated state")
    blocks: int = Field(2, ge=1, description="residual blocks per iteration (paper style only)")
    iterations: int = Field(6, ge=1, description="how many times the recurrent module runs")
    iterations_per_side: float = Field(
        0.0, ge=0, description="extra iterations per row or column, whichever there are more of"
    )
    alpha: float = Field(
        0.0, ge=0, le=1, description="weight of the progressive loss; 1: no other loss"
    )
    pooled: bool = Field(
        True, description="give every hex a summary of the whole board (compact style only)"
    )
    focus: int = Field(
        0,
        ge=0,
        description="groups of channels with a learned weighting of the board (compact style only)",
    )
    fields: int = Field(0, ge=0, description="learned distance fields added to the input planes")
    separable: bool = Field(
        False, description="separable hex convolutions inside the iterated block (compact only)"
    )
    halting: bool = Field(
        False, description="the network decides when to stop iterating (PonderNet)"
    )
    halting_usual: float = Field(
        0.2, gt=0, lt=1, description="prior probability of stopping at each iteration"
    )
    halting_weight: float = Field(0.01, ge=0, description="weight of that prior in the loss")
    patience: int = Field(
        4,
        ge=1,
        description="with halting: maximum iterations at play, as a multiple of those in training",
    )

    @model_validator(mode="after")
    def _groups_are_equal(self) -> Settings:
        if self.focus and max(1, self.filters // 2) % self.focus:
            raise ValueError(f"focus must divide half the filters, {self.filters // 2}")
        if self.halting and (self.alpha or self.iterations < 2):
            raise ValueError("halting needs two or more iterations and no progressive loss")
        return self


class PaperStep(nn.Module):
    """One hex convolution over state and input together, then residual blocks."""

    def __init__(self, settings: Settings, channels: int) -> None:
        super().__init__()
        filters = settings.filters
        # One convolution over both is the sum of one over each; the input's is the same at every
        # iteration and computed once.
        self.state = HexLayer(filters, filters, relu=False)
        self.input = HexLayer(channels, filters, relu=False)
        for layer in (self.state, self.input):
            layer.start(filters + channels, filters)
        self.blocks = nn.Sequential(*(PaperBlock(filters) for _ in range(settings.blocks)))

    def recall(self, planes: Tensor) -> Tensor:
        recalled: Tensor = self.input(planes)
        return recalled

    def forward(self, state: Tensor, recalled: Tensor) -> Tensor:
        after: Tensor = self.blocks(self.state(state, recalled))
        return after


class CompactStep(nn.Module):
    """One normalized block whose first layer also reads the input."""

    def __init__(self, settings: Settings, channels: int) -> None:
        super().__init__()
        self.input = HexLayer(channels, settings.filters, relu=False)
        self.block = CompactBlock(
            settings.filters, settings.pooled, settings.focus, settings.separable
        )

    def recall(self, planes: Tensor) -> Tensor:
        recalled: Tensor = self.input(planes)
        return recalled

    def forward(self, state: Tensor, recalled: Tensor) -> Tensor:
        after: Tensor = self.block(state, recalled)
        return after


class RecallNetwork(nn.Module):
    """Flat observation [B, D] -> logits [B, A] and values [B, V]."""

    def __init__(self, settings: Settings, board: HexBoard, num_values: int) -> None:
        super().__init__()
        self.settings = settings
        self.fields: DistanceFields | None = None
        channels = board.channels
        if settings.fields:
            self.fields = DistanceFields(channels, settings.fields)
            channels += FEATURES * settings.fields
        paper = settings.style == "paper"
        self.projection = HexLayer(channels, settings.filters, bias=not paper)
        step = PaperStep if paper else CompactStep
        self.step: PaperStep | CompactStep = step(settings, channels)
        self.policy, self.value = make_heads(
            settings.style, settings.filters, board.action_planes, num_values, settings.focus
        )
        self.halting: HaltingHead | None = None
        if settings.halting:
            self.halting = HaltingHead(settings.filters, settings.halting_usual)
        self._bind(board)

    def _bind(self, board: HexBoard) -> None:
        self.board = board
        longer = self.settings.iterations_per_side * max(board.height, board.width)
        self.iterations = self.settings.iterations + round(longer)

    def on_board(self, observation: ObservationSpec, actions: ActionSpec) -> RecallNetwork:
        """Return a network for another board size that shares this one's weights."""
        board = HexBoard.of(observation, actions, _NAME)
        self.board.check_same_layers(board, _NAME)
        bound = copy.copy(self)
        bound._bind(board)
        return bound

    def forward(self, observation: Tensor, iterations: int | None = None) -> NetworkOutput:
        return self.decide_from(self.read(observation), iterations)

    def read(self, observation: Tensor) -> Tensor:
        """Return planes [B, C, H, W], including distance fields."""
        planes = self.board.read(observation)
        return planes if self.fields is None else torch.cat([planes, self.fields(planes)], 1)

    def decide_from(self, read: Tensor, iterations: int | None = None) -> NetworkOutput:
        """Return logits and values for these planes."""
        state, recalled = self._begin(read)
        if self.halting is not None and iterations is None:
            return self._until_it_halts(state, recalled)
        for _ in range(iterations or self.iterations):
            state = self.step(state, recalled)
        return self._finish(state)

    def _until_it_halts(self, state: Tensor, recalled: Tensor) -> NetworkOutput:
        """Return each position's output at the step where it has probably stopped."""
        assert self.halting is not None
        going_on = torch.ones(len(state))
        kept = state
        for _ in range(self.iterations * self.settings.patience):
            state = self.step(state, recalled)
            waiting = going_on > 0.5
            kept = torch.where(waiting[:, None, None, None], state, kept)
            going_on = going_on * (1 - self.halting(state))
            tracing = torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
            if not tracing and not bool((going_on > 0.5).any()):
                break
        return self._finish(kept)

    def training_terms(self, observation: Tensor, generator: torch.Generator) -> list[TrainingTerm]:
        """Return the full and the progressive pass (Bansal et al.), weighted 1 - alpha and alpha.

        The progressive pass runs n iterations without and then k with a gradient, n + k at most the
        number of iterations: the network has to improve any state, wherever it came from.
        """
        if self.halting is not None:
            return self._pondering(observation)
        alpha = self.settings.alpha
        if alpha == 0:
            return [TrainingTerm(1.0, self(observation))]
        terms = []
        if alpha < 1:
            terms.append(TrainingTerm(1 - alpha, self(observation)))
        skipped = _below(self.iterations, generator)
        trained = 1 + _below(self.iterations - skipped, generator)
        terms.append(TrainingTerm(alpha, self.progress(observation, skipped, trained)))
        return terms

    def _pondering(self, observation: Tensor) -> list[TrainingTerm]:
        """Return the output of every iteration, weighted by the probability of stopping there."""
        assert self.halting is not None
        state, recalled = self._begin(self.read(observation))
        outputs, chances = [], []
        for _ in range(self.iterations):
            state = self.step(state, recalled)
            outputs.append(self._finish(state))
            chances.append(self.halting(state))
        stops = stop_distribution(chances)  # [B, n]
        apart = divergence_from_geometric(stops, self.settings.halting_usual)
        penalty = self.settings.halting_weight * apart
        return [
            TrainingTerm(1.0, output, stops[:, number], penalty if number == 0 else None)
            for number, output in enumerate(outputs)
        ]

    def progress(self, observation: Tensor, skipped: int, trained: int) -> NetworkOutput:
        """Return the output after `skipped` iterations without and `trained` with a gradient."""
        state, recalled = self._begin(self.read(observation))
        if skipped:
            with torch.no_grad():
                for _ in range(skipped):
                    state = self.step(state, recalled)
        for _ in range(trained):
            state = self.step(state, recalled)
        return self._finish(state)

    def _begin(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        return self.projection(planes), self.step.recall(planes)

    def _finish(self, state: Tensor) -> NetworkOutput:
        return NetworkOutput(self.policy(state).flatten(1), self.value(state))


def _below(limit: int, generator: torch.Generator) -> int:
    return int(torch.randint(limit, (), generator=generator))


def build(
    settings: Settings, observation: ObservationSpec, actions: ActionSpec, num_values: int
) -> nn.Module:
    """Build a new network; `torch.manual_seed` decides its weights."""
    return RecallNetwork(settings, HexBoard.of(observation, actions, _NAME), num_values)
