"""`best`: the agent that the package ships for a game and scenario."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from stratagem.agents import make_agent
from stratagem.agents.assistance import bot_at_play
from stratagem.agents.kinds.mcts import MctsAgent
from stratagem.agents.kinds.policy import PolicyAgent
from stratagem.agents.kinds.rollout import RolloutAgent
from stratagem.agents.shipped import KINDS, adviser, default_opponent, shipped
from stratagem.core.errors import BadCheckpoint, BadSetting, StratagemError
from stratagem.core.game import Game
from stratagem.core.registry import list_games, load_game
from stratagem.core.seeding import derive_seeds
from stratagem.evaluate.bench import opening_positions

GOLDEN = Path(__file__).parents[1] / "golden" / "best.txt"
CARDS = load_game("cards?ranks=6")
SEARCHED = load_game("battlefield")  # ships a network with its search
UNSEARCHED = load_game("hispania/duel8")  # ships a network that plays by itself


def test_without_a_shipped_player_it_says_so():
    assert shipped(CARDS) is None and adviser(CARDS).startswith("mcts:none")
    with pytest.raises(BadCheckpoint, match="no checkpoint ships for cards"):
        make_agent("best", CARDS)


def test_it_takes_no_path():
    with pytest.raises(BadSetting, match="best takes no path"):
        make_agent("best:somewhere", SEARCHED)


def test_a_network_with_search_is_found_beside_its_spec_and_takes_other_options():
    player = shipped(SEARCHED)
    assert player.kind == "mcts" and player.target.endswith("battlefield/best/default")
    agent = make_agent("best:?sims=17", SEARCHED)
    assert isinstance(agent, MctsAgent) and agent.settings.sims == 17
    assert make_agent("best", SEARCHED).settings.sims == int(player.options["sims"])
    assert adviser(SEARCHED) == "best"


def test_a_network_without_search_plays_by_itself_and_searches_when_asked():
    assert isinstance(make_agent("best", UNSEARCHED), PolicyAgent)
    assert isinstance(make_agent("best:?sims=8", UNSEARCHED), MctsAgent)
    assert isinstance(make_agent(adviser(UNSEARCHED), UNSEARCHED), MctsAgent)


def test_the_player_of_another_scenario():
    game = load_game("hispania/reconquista55")
    assert shipped(game) is None
    away = shipped(game, "full55")
    assert away is not None and away.target.endswith("hispania/best/full55")
    agent = make_agent("best:full55", game)
    assert isinstance(agent, PolicyAgent) and agent.spec == "best:full55"
    assert isinstance(make_agent("best:full55?sims=8", game), MctsAgent)  # without its options
    states = opening_positions(game, 2, 1)
    ids, counts = game.legal(states)
    chosen = agent.act(states, derive_seeds(1, "test", count=2))
    assert all(chosen[k] in ids[k, : counts[k]] for k in range(2))
    with pytest.raises(BadSetting, match="best:full55"):
        make_agent("best:full56", game)


def test_every_scenario_has_the_agent_and_the_weights_that_were_measured():
    listed = {}
    for line in GOLDEN.read_text().splitlines():
        spec, kind, agent, weights = line.split()
        listed[spec, kind] = (agent, weights)
    for about, scenarios in list_games():
        for scenario in scenarios:
            game = load_game(f"{about.name}/{scenario}")
            for kind in KINDS:
                assert shipped_line(game, kind) == listed.get((game.spec, kind)), (game.spec, kind)


def shipped_line(game: Game, kind: str) -> tuple[str, str] | None:
    """The shipped agent and a hash of its weights."""
    player = shipped(game, kind=kind)
    if player is None:
        return None
    query = "&".join(f"{key}={value}" for key, value in sorted(player.options.items()))
    weights = (Path(player.target) / "model.safetensors").read_bytes()
    return f"{player.kind}?{query}", hashlib.sha256(weights).hexdigest()[:16]


def test_best_asks_no_bot_and_a_hybrid_does():
    for about, scenarios in list_games():
        for scenario in scenarios:
            game = load_game(f"{about.name}/{scenario}")
            alone, hybrid = shipped(game), shipped(game, kind="best-hybrid")
            assert alone is None or not bot_at_play(alone, game), game.spec
            assert hybrid is None or bot_at_play(hybrid, game), game.spec


def test_a_hybrid_is_named_as_one():
    game = load_game("hispania/full55")
    hybrid = make_agent("best-hybrid", game)
    assert isinstance(hybrid, RolloutAgent) and hybrid.spec == "best-hybrid"
    assert default_opponent(game) == "best-hybrid" and default_opponent(SEARCHED) == "best"
    with pytest.raises(BadCheckpoint, match=r"no hybrid ships for battlefield/default: use best"):
        make_agent("best-hybrid", SEARCHED)


@pytest.fixture
def game(tmp_path):
    """A game whose best.toml a test writes."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "game.toml").write_text((CARDS.rules.folder / "game.toml").read_text())
    (tmp_path / "scenarios" / "default.toml").touch()
    (tmp_path / "best" / "net").mkdir(parents=True)
    return Game(replace(CARDS.rules, folder=tmp_path), CARDS.scenario, "cards/default")


def test_an_own_line_counts_before_patterns_and_the_first_pattern_before_others(game):
    (game.rules.folder / "best.toml").write_text(
        '[agents]\n"a-*" = "policy:net"\n"*" = "mcts:none?sims=3"\na-2 = "random"\n'
    )
    found = shipped(game, "a-1")
    assert found.kind == "policy" and found.target == str(game.rules.folder / "best" / "net")
    assert shipped(game, "a-2").kind == "random"
    assert (shipped(game, "b").kind, shipped(game, "b").target) == ("mcts", "none")


@pytest.mark.parametrize(
    "agent", ["mcts:../elsewhere", "policy:.", "policy:..", "best:default", "best"]
)
def test_it_neither_leaves_its_folder_nor_leads_to_itself(game, agent):
    (game.rules.folder / "best.toml").write_text(f'[agents]\ndefault = "{agent}"\n')
    with pytest.raises(BadSetting, match=r"best\.toml: .* a folder below best/"):
        shipped(game)


@pytest.mark.parametrize("text", ["agents = 3", "[agents]\ndefault = 5", "agents = ['random']"])
def test_what_is_no_list_of_agents_is_refused(game, text):
    (game.rules.folder / "best.toml").write_text(text)
    with pytest.raises(BadSetting, match=r"best\.toml: write scenarios and agents"):
        shipped(game)


def test_a_kind_that_nobody_knows_is_refused(game):
    (game.rules.folder / "best.toml").write_text('[agents]\ndefault = "abacus:net"\n')
    with pytest.raises(StratagemError, match="abacus"):
        make_agent("best", game)
