"""A cluster on one machine: train, lose nothing, measure.

    pip install 'stratagem[cluster]'
    python examples/cluster.py [ADDRESS]

Without an address Ray starts on this machine; with one (`auto`, `HOST:6379`) the same lines use all
machines of that cluster. Takes a minute or two; a second call resumes the run it finds.
"""

import sys
from contextlib import closing

import stratagem

RUN = "runs/cluster-example"
SMALL = {
    "search.sims": 16,
    "selfplay.workers": 2,  # one actor each, wherever Ray puts it
    "selfplay.slots": 64,
    "selfplay.positions": 512,
    "replay.minimum": 256,
    "anchors.times": 0,
    "mode": "asynchronous",  # play goes on while the network learns
}


def main(address: str = "", iterations: int = 4) -> float:
    """Train on the cluster, play a tournament there; returns the score against random."""
    with closing(stratagem.make_backend("ray", address)) as cluster:
        run = stratagem.train_agent(
            "connect_four", iterations=iterations, run=RUN, settings=SMALL, backend=cluster,
            on_iteration=lambda row: print(f"iteration {row.iteration}: {row.games} games"),
        )  # fmt: skip
        game = stratagem.load_game("connect_four")
        players = [f"mcts:{run.path.resolve()}?sims=16", "mcts:none?sims=16", "random"]
        result = stratagem.play_tournament(game, players, 20, seed=1, backend=cluster)
    for line in result.ranking:
        print(f"{line.score:.2f}  {line.spec}")
    score = result.matrix[0][2]
    assert score is not None
    return score


if __name__ == "__main__":
    main(*sys.argv[1:2])
