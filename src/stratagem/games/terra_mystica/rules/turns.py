"""The automatic course of the game: pending choices, power offers, turns, rounds, set-up.

`proceed` does one thing when no decision is due and returns what it did, so that a replay can
compare numbers after each event. It stops by setting `seat` and `kind` for the next decision.
"""

import numpy as np

from stratagem.core.compile import kernel
from stratagem.core.seats import OVER
from stratagem.games.terra_mystica.board.factions import (
    CHAOS,
    CULTISTS,
    DWELLING,
    HOME,
    NOMADS,
    START,
    START_SHIP,
    START_VP,
)
from stratagem.games.terra_mystica.rules.building import stand
from stratagem.games.terra_mystica.rules.income import receive_income, receive_reward, take_card
from stratagem.games.terra_mystica.rules.resources import gain_power
from stratagem.games.terra_mystica.rules.scoring import score_cult, score_network, score_resources
from stratagem.games.terra_mystica.rules.towns import can_connect_any
from stratagem.games.terra_mystica.state import (
    ACTING,
    ASK,
    BRIDGING,
    CULT_INCOME,
    CULT_STEP,
    CULT_TOP,
    DEALING,
    DIGGING,
    FACTION,
    FAVOUR,
    FREE_LEECH,
    FREE_SPADES,
    INCOME,
    LEECH,
    MAIN,
    PICKING,
    PLACING,
    REWARD_SPADES,
    SCORING,
    SEATS,
    SH_SPADES,
    START_BONUS,
    START_DWELLING,
    TO_PRIESTS,
    TOWN,
)

# What `proceed` reports; the seat concerned is added.
(
    QUIET, GOT_INCOME, GOT_REWARD, ALL_DECLINED, TOOK_POWER, SCORED_CULT, SCORED_NETWORK,
    SCORED_RESOURCES,
) = range(0, 128, 16)  # fmt: skip


@kernel
def ask(s, seat, kind):
    s["seat"] = seat
    s["kind"] = kind


@kernel
def proceed(s):
    """Play one event of a game in which nobody has to decide; return what it was."""
    phase = s["phase"]
    if phase == ACTING:
        return go_on_with_turn(s)
    if phase == INCOME:
        return go_on_with_income(s)
    if phase == CULT_INCOME:
        return go_on_with_rewards(s)
    if phase == DIGGING:
        return go_on_with_digging(s)
    if phase == SCORING:
        return go_on_with_scoring(s)
    return go_on_with_setup(s)


@kernel
def in_turn_order(s, place):
    """Return the seat at a position of this round's turn order."""
    return (np.int64(s["starter"]) + place) % np.int64(s["players"])


@kernel
def go_on_with_turn(s):
    active = np.int64(s["active"])
    if s["tops_due"]:
        ask(s, active, CULT_TOP)
    elif s["priests_due"]:
        ask(s, active, TO_PRIESTS)
    elif s["spades"]:
        ask(s, active, SH_SPADES if s["stronghold_spades"] else FREE_SPADES)
    elif s["favours_due"]:
        ask(s, active, FAVOUR)
    elif s["towns_due"]:
        ask(s, active, TOWN)
    elif s["steps"]:
        ask(s, active, CULT_STEP)
    elif s["bridge_due"]:
        ask(s, active, BRIDGING)
    elif s["cultist_step"]:
        ask(s, np.int64(s["builder"]), CULT_STEP)
    elif s["actions_left"] == 0 and may_still_convert(s, active):
        ask(s, active, MAIN)
    elif s["builder"] >= 0:
        return go_on_with_offers(s)
    else:
        go_on_with_actions(s, active)
    return QUIET


@kernel
def may_still_convert(s, active):
    """Ask for more after the action: only in explicit mode, or for the Mermaids' river."""
    if s["passed"][active] or s["conversions"] == 255 or s["accepted"] or s["offered"]:
        return False
    return s["explicit"] != 0 or can_connect_any(s, active)


@kernel
def go_on_with_offers(s):
    """Handle the offers of each build in seat order from the builder; drop void ones."""
    builder = np.int64(s["builder"])
    players = np.int64(s["players"])
    for row in range(2):
        for k in range(1, players):
            seat = (builder + k) % players
            if s["offer"][row, seat] > 0:
                gain = power_gain(s, seat, np.int64(s["offer"][row, seat]))
                if gain == 0:
                    s["offer"][row, seat] = 0
                    continue
                s["offered"] = 1
                if s["leech"] == ASK:
                    ask(s, seat, LEECH)
                    return QUIET
                s["offer"][row, seat] = 0
                if s["leech"] == FREE_LEECH and gain == 1:
                    gain_power(s, seat, 1)
                    return accept_from(s)
        if s["offered"]:
            return close_build(s, builder)
    s["builder"] = -1
    return QUIET


@kernel
def power_gain(s, seat, offer):
    """Return what taking an offer really gains: room in the bowls, and VP to pay with."""
    room = 2 * np.int64(s["bowl"][seat, 0]) + np.int64(s["bowl"][seat, 1])
    return min(min(offer, room), np.int64(s["vp"][seat]) + 1)


@kernel
def offer_to(s, seat):
    """Return the power offered to this seat by the current build."""
    return (
        np.int64(s["offer"][0, seat]) if s["offer"][0, seat] > 0 else np.int64(s["offer"][1, seat])
    )


@kernel
def clear_offer(s, seat):
    row = 0 if s["offer"][0, seat] > 0 else 1
    s["offer"][row, seat] = 0


@kernel
def accept_from(s):
    """Record that somebody took power; the Cultists step once for each build."""
    builder = np.int64(s["builder"])
    if s["faction"][builder] == CULTISTS and not s["accepted"]:
        s["cultist_step"] = 1
        s["accepted"] = 1
        return TOOK_POWER + builder
    s["accepted"] = 1
    return QUIET


@kernel
def close_build(s, builder):
    """Finish the offers of one build: if all declined, the Cultists gain 1 power."""
    declined = s["faction"][builder] == CULTISTS and not s["accepted"]
    s["offered"] = 0
    s["accepted"] = 0
    if declined:
        gain_power(s, builder, 1)
        return ALL_DECLINED + builder
    return QUIET


@kernel
def go_on_with_actions(s, active):
    """Finish the action: a second one for a double turn, else the next player's turn."""
    s["split"] = 0
    s["stuck"] = 0
    if s["actions_left"] > 0 and not s["passed"][active]:
        ask(s, active, MAIN)
        return
    s["conversions"] = 0
    players = np.int64(s["players"])
    for k in range(1, players + 1):
        seat = (active + k) % players
        if not s["passed"][seat]:
            begin_turn(s, seat)
            return
    end_round(s)


@kernel
def begin_turn(s, seat):
    s["active"] = seat
    s["actions_left"] = 1
    ask(s, seat, MAIN)


@kernel
def end_round(s):
    for seat in range(np.int64(s["players"])):
        if s["passed"][seat] == 1:
            s["starter"] = seat
    s["active"] = -1
    s["actions_left"] = 0
    s["cursor"] = 0
    s["phase"] = SCORING if s["round"] == 6 else CULT_INCOME


@kernel
def go_on_with_rewards(s):
    """Give cult rewards of the ending round, in turn order; then use their spades."""
    place = np.int64(s["cursor"])
    if place == s["players"]:
        s["cursor"] = 0
        s["phase"] = DIGGING
        return QUIET
    seat = in_turn_order(s, place)
    receive_reward(s, seat)
    s["cursor"] = place + 1
    return GOT_REWARD + seat


@kernel
def go_on_with_digging(s):
    for place in range(np.int64(s["players"])):
        seat = in_turn_order(s, place)
        if s["reward"][seat]:
            ask(s, seat, REWARD_SPADES)
            return QUIET
    s["cursor"] = 0
    s["phase"] = INCOME
    return QUIET


@kernel
def go_on_with_income(s):
    """Give income in turn order; then coins for the cards of the pool, and the round begins."""
    place = np.int64(s["cursor"])
    if place < s["players"]:
        seat = in_turn_order(s, place)
        receive_income(s, seat)
        s["cursor"] = place + 1
        return GOT_INCOME + seat
    for card in range(9):
        if s["card"][card] == -1:
            s["card_coins"][card] += 1
    for k in range(6):
        s["power_taken"][k] = 0
    for seat in range(SEATS):
        s["passed"][seat] = 0
        s["used_bonus"][seat] = 0
        s["used_favour"][seat] = 0
        s["used_faction"][seat] = 0
    s["cursor"] = 0
    s["round"] += 1
    s["phase"] = ACTING
    begin_turn(s, np.int64(s["starter"]))
    return QUIET


@kernel
def go_on_with_scoring(s):
    place = np.int64(s["cursor"])
    s["cursor"] = place + 1
    if place < 4:
        score_cult(s, place)
        return SCORED_CULT + place
    if place == 4:
        score_network(s)
        return SCORED_NETWORK
    seat = place - 5
    if seat < s["players"]:
        score_resources(s, seat)
        return SCORED_RESOURCES + seat
    s["cursor"] = 0
    s["seat"] = OVER
    return QUIET


@kernel
def go_on_with_setup(s):
    players = np.int64(s["players"])
    if s["phase"] == DEALING:
        for seat in range(players):
            if s["faction"][seat] < 0:
                ask(s, seat, FACTION)
                return QUIET
        s["phase"] = PLACING
    elif s["phase"] == PLACING:
        place_next(s, players)
    else:
        place = np.int64(s["cursor"])
        seat = players - 1 - place
        if place == players:
            s["cursor"] = 0
            s["phase"] = INCOME
        elif s["start_card"][seat] >= 0:
            s["cursor"] = place + 1
            take_card(s, seat, np.int64(s["start_card"][seat]))
        else:
            ask(s, seat, START_BONUS)
    return QUIET


@kernel
def deal_board(s, seat, faction):
    """Set a faction's starting values."""
    s["faction"][seat] = faction
    s["vp"][seat] = START_VP
    s["coins"][seat] = START[faction, 0]
    s["workers"][seat] = START[faction, 1]
    s["priests"][seat] = START[faction, 2]
    s["bowl"][seat, 0] = START[faction, 3]
    s["bowl"][seat, 1] = START[faction, 4]
    for cult in range(4):
        s["cult"][seat, cult] = START[faction, 5 + cult]
    s["ship"][seat] = START_SHIP[faction]


@kernel
def place_next(s, players):
    """Place start dwellings: seats forwards, backwards, the Nomads' third, Chaos Magicians."""
    place = np.int64(s["cursor"])
    if place == 2 * players + 2:
        s["cursor"] = 0
        s["phase"] = PICKING
        return
    seat = -1
    if place < players:
        seat = place
    elif place < 2 * players:
        seat = 2 * players - 1 - place
    if seat >= 0 and s["faction"][seat] == CHAOS:
        seat = -1
    if place >= 2 * players:
        wanted = NOMADS if place == 2 * players else CHAOS
        for k in range(players):
            if s["faction"][k] == wanted:
                seat = k
    if seat < 0:
        s["cursor"] = place + 1
    elif s["start_hex"][seat, np.int64(s["sites"][seat])] >= 0:
        put_start(s, seat, np.int64(s["start_hex"][seat, np.int64(s["sites"][seat])]))
    else:
        ask(s, seat, START_DWELLING)


@kernel
def put_start(s, seat, land):
    """Place a start dwelling: free, no power, no points. A preset that does not fit is skipped."""
    if s["terrain"][land] == HOME[s["faction"][seat]] and s["owner"][land] < 0:
        stand(s, seat, land, DWELLING)
    s["cursor"] += 1
