"""A measure from outside the package: how often each seat plays Connect Four's middle column."""


def count(game, states, actions):
    if game.name != "connect_four":
        return {}
    return {
        f"seat{seat}/center": float(
            sum(a == 3 for a, s in zip(actions, states["seat"], strict=False) if s == seat)
        )
        for seat in range(game.num_seats)
    }
