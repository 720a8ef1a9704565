"""Names of players on the page: for people, unlike the specs that commands take."""

from __future__ import annotations

from stratagem.agents.spec import AgentSpec
from stratagem.core.errors import BadSetting

PLAIN_SEARCH, RANDOM = "Plain search (no learning)", "Random moves"
SHIPPED_TITLES = {"best": "Strongest AI", "best-hybrid": "AI helped by the rule-based bot"}

_STYLES = {
    "best": "A trained network that plays on its own",
    "best-hybrid": "A trained network that takes advice from the rule-based bot",
    "checkpoint": "Trained on this machine",
    "search": "Knows only the rules: plays out many games at random and follows what wins",
    "bot": "Follows fixed rules of thumb",
    "random": "Picks any legal move",
}


def style_of(kind: str) -> str:
    """Describe how opponents of a kind play, for people who choose one."""
    return _STYLES.get(kind, "")


def bot_title(bot: str) -> str:
    """Return a bot's name: `scripted` is the game's ordinary bot; others have their own names."""
    if bot == "scripted":
        return "Rule-based bot"
    return f"{bot.replace('-', ' ').title()} (rule-based bot)"


def player_title(agent: str) -> str:
    """Return the name of an agent in a game."""
    try:
        spec = AgentSpec.parse(agent)
    except BadSetting:
        return agent  # from a record made elsewhere
    match spec.kind, spec.target:
        case ("best" | "best-hybrid") as kind, "":
            name = SHIPPED_TITLES[kind]
        case "random", "":
            name = RANDOM
        case "scripted", target:
            name = bot_title(target or "scripted")
        case "mcts", "none":
            name = PLAIN_SEARCH
        case "run", target:
            name = target
        case bot, "":
            name = bot_title(bot)
        case _:
            return agent
    sims = spec.options.get("sims")
    return f"{name}, {sims} simulations" if sims else name
