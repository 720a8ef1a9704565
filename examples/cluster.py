"""Train and measure on a Ray cluster, from Python.

    .venv/bin/pip install 'stratagem[cluster]'
    .venv/bin/python examples/cluster.py [ADDRESS]

Without an address Ray starts on this machine. With one (`auto`, `HOST:6379`) the same lines use
every machine of that cluster. It takes a minute or two; a second call continues the run.
"""

import sys
from contextlib import closing

import stratagem

SETTINGS = {
    "search.sims": 16,
    "selfplay.workers": 2,  # an actor each, wherever Ray puts it
    "selfplay.slots": 64,
    "selfplay.positions": 512,
    "replay.minimum": 256,
    "anchors.times": 0,
}


def main(address: str = "", iterations: int = 4, run: str = "runs/cluster") -> None:
    """Train Connect Four, then play a tournament, both on the cluster."""
    with closing(stratagem.make_backend("ray", address)) as cluster:
        trained = stratagem.train_agent(
            "connect_four", iterations=iterations, run=run, settings=SETTINGS, backend=cluster,
            on_iteration=lambda row: print(f"iteration {row.iteration}: {row.games} games"),
        )  # fmt: skip
        players = [f"mcts:{trained.path.resolve()}?sims=16", "mcts:none?sims=16", "random"]
        game = stratagem.load_game("connect_four")
        result = stratagem.play_tournament(game, players, 20, seed=1, backend=cluster)
    for line in result.ranking:
        print(f"{line.score:.2f}  {line.spec}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
