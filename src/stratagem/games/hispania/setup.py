"""Setting up Hispania: a scenario's constants and its first pieces. Nothing is random."""

from stratagem.core.compile import kernel
from stratagem.games.hispania.board.arrays import (
    BIT,
    NATIONS,
    PLAYERS,
    REGIONS,
    SETUP,
    SETUP_FROM,
    SETUP_TO,
    STRUCTURE,
)
from stratagem.games.hispania.rules.turns import advance
from stratagem.games.hispania.state import NEXT_ROUND


@kernel
def reset(s, scenario, seed):
    s["active"] = scenario["active"]
    s["tables"] = scenario["tables"]
    s["round"] = scenario["first_round"]
    s["last_round"] = scenario["last_round"]
    s["num_seats"] = scenario["num_seats"]
    s["submission"] = scenario["submission"]
    for seat in range(PLAYERS):
        s["handicap"][seat] = scenario["handicap"][seat]
    for nation in range(NATIONS):
        s["player"][nation] = scenario["player"][nation]
        s["overlord"][nation] = -1
    for region in range(REGIONS):
        s["owner"][region] = -1
        s["builder"][region] = -1
        s["counted"][region] = -1
        if s["active"] & BIT[region] != 0:
            s["structure"][region] = STRUCTURE[region]
    s["origin"] = -1
    s["site"] = -1
    s["nation"] = -1
    for row in range(SETUP_FROM[s["tables"]], SETUP_TO[s["tables"]]):
        nation = SETUP[row, 0]
        region = SETUP[row, 1]
        if s["player"][nation] >= 0 and s["active"] & BIT[region] != 0:
            s["owner"][region] = nation
            s["units"][region, SETUP[row, 2]] += SETUP[row, 3]
    s["phase"] = NEXT_ROUND
    advance(s)
