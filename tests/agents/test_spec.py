"""Specs become agents, and every mistake in one gets an answer that names the fix."""

import subprocess
import sys

import pytest

from stratagem.agents import AgentSpec, check_options, known_agents, make_agent
from stratagem.agents.kinds.random import RandomAgent
from stratagem.agents.kinds.scripted import ScriptedAgent
from stratagem.core.errors import BadSetting, UnknownName
from stratagem.core.registry import load_game

DICE = load_game("dice")


def test_parts_of_a_spec() -> None:
    spec = AgentSpec.parse("mcts:runs/a:b?sims=200&noise=0")
    assert (spec.kind, spec.target) == ("mcts", "runs/a:b")
    assert spec.options == {"sims": "200", "noise": "0"}


def test_random_by_name() -> None:
    agent = make_agent("random", DICE)
    assert isinstance(agent, RandomAgent)
    assert agent.spec == "random"


@pytest.mark.parametrize("spec", ["keeper", "scripted", "scripted:keeper"])
def test_bots_of_the_game_by_name(spec: str) -> None:
    agent = make_agent(spec, DICE)
    assert isinstance(agent, ScriptedAgent)
    assert (agent.bot, agent.spec) == ("keeper", spec)


def test_unknown_agent_lists_kinds_and_bots() -> None:
    with pytest.raises(UnknownName, match=r"unknown agent 'keepr' of dice.*'keeper'.*random"):
        make_agent("keepr", DICE)


def test_modules_that_build_nothing_are_no_agents() -> None:
    known = known_agents(DICE)
    assert {"keeper", "random", "scripted"} <= set(known)
    assert not {"agent", "spec", "__init__"} & set(known)


def test_a_bot_of_another_game_is_unknown() -> None:
    with pytest.raises(UnknownName, match="'keeper'"):
        make_agent("keeper", load_game("connect_four"))


@pytest.mark.parametrize("spec", ["random?temperature=2", "keeper?temperature=2"])
def test_unknown_option(spec: str) -> None:
    with pytest.raises(UnknownName, match=r"unknown option 'temperature' of agent"):
        make_agent(spec, DICE)


def test_known_options_pass() -> None:
    check_options("any", ["sims"], ("sims", "noise"))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "write name"),
        ("random:somewhere", "takes no target"),
        ("random?sims", "key=value"),
    ],
)
def test_malformed_specs(spec: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        make_agent(spec, DICE)


def test_scripted_needs_a_bot() -> None:
    with pytest.raises(BadSetting, match="declares no scripted players"):
        make_agent("scripted", load_game("cards"))
    with pytest.raises(UnknownName, match="unknown scripted player 'bold' of dice"):
        make_agent("scripted:bold", DICE)


def test_naming_agents_does_not_load_torch() -> None:
    code = (
        "import sys; from stratagem.agents import make_agent; "
        "from stratagem.core.registry import load_game; "
        "make_agent('random', load_game('connect_four')); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
