"""Actions of Catan: their numbers, group by group.

The first ten groups are those of the thesis (section 5.3), the next four the decisions that it
leaves out. The last four exist only if players trade with each other. The set-up uses the groups
`settlement` and `road`; the second road of road building and the second card of a year of plenty
use the group of their card.
"""

from stratagem.core.specs import ActionGroup
from stratagem.games.catan.board import EDGES, PLACES, TILES
from stratagem.games.catan.state import RESOURCES, SEATS

DEALS = 3 * RESOURCES * RESOURCES
_SIZES = (
    ("settlement", PLACES),
    ("road", EDGES),
    ("city", PLACES),
    ("buy-card", 1),
    ("bank-trade", RESOURCES * RESOURCES),  # given * 5 + received; never legal if equal
    ("knight", TILES),
    ("monopoly", RESOURCES),
    ("year-of-plenty", RESOURCES),
    ("road-building", EDGES),
    ("end-turn", 1),
    ("roll", 1),
    ("discard", RESOURCES),
    ("robber", TILES),
    ("steal", SEATS - 1),  # the first, second or third player after the current one
    # A deal: price * 25 + given * 5 + received; one for one, two for one, one for two.
    ("offer", DEALS),
    ("answer", 2),  # accept, refuse
    ("counter", DEALS),
    ("partner", SEATS),  # as `steal`; the last one means nobody
)
_TRADING = 4  # groups of trade between players
GROUP_STARTS = [sum(size for _, size in _SIZES[:k]) for k in range(len(_SIZES))]
GROUPS = tuple(
    ActionGroup(name, start, start + size)
    for (name, size), start in zip(_SIZES, GROUP_STARTS, strict=True)
)
(
    BUILD_SETTLEMENT, BUILD_ROAD, BUILD_CITY, BUY_CARD, BANK_TRADE, PLAY_KNIGHT, PLAY_MONOPOLY,
    PLAY_PLENTY, PLAY_ROADS, END_TURN, ROLL_DICE, DISCARD_CARD, PLACE_ROBBER, STEAL_FROM,
    OFFER, ACCEPT, COUNTER, PARTNER,
) = GROUP_STARTS  # fmt: skip
REFUSE = ACCEPT + 1
NO_DEAL = PARTNER + SEATS - 1
ACTIONS = OFFER  # without trade between players
ALL_ACTIONS = GROUPS[-1].stop
# Where actions happen, for networks over the graph of encoding `graph`: two at each place, then
# at each tile; a paid and a free road at each edge.
AT_NODES = (
    *((BUILD_SETTLEMENT + place, BUILD_CITY + place) for place in range(PLACES)),
    *((PLAY_KNIGHT + tile, PLACE_ROBBER + tile) for tile in range(TILES)),
)
AT_EDGES = tuple((BUILD_ROAD + edge, PLAY_ROADS + edge) for edge in range(EDGES))
# 14 roads in two parts touch at most 20 free edges and 16 places: roads 20, free roads 20,
# settlements 16, cities 5, trades 20, robber 19, cards 11, end 1. The set-up has 54 places. Offers
# to other players are 60 more.
MAX_LEGAL = 128
ALL_LEGAL = 192


def action_count(scenario):
    return ALL_ACTIONS if scenario.offers else ACTIONS


def action_groups(scenario):
    return GROUPS if scenario.offers else GROUPS[:-_TRADING]


def most_legal(scenario):
    return ALL_LEGAL if scenario.offers else MAX_LEGAL
