"""Players: batches of states in, actions out. `make_agent("random", game)` builds one by spec."""

from stratagem.agents.spec import AgentSpec, check_options, known_agents, make_agent
from stratagem.core.agent import Agent

__all__ = ["Agent", "AgentSpec", "check_options", "known_agents", "make_agent"]
