"""Which command of a ledger answers a decision, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stratagem.core.seats import OVER
from stratagem.games.terra_mystica import actions as action_ids
from stratagem.games.terra_mystica import state as kinds
from stratagem.games.terra_mystica.board.factions import CULTISTS

from . import actions as to_action
from .replay import SOFT, Replay
from .text import BadLedger, Command

_CHANGE = {"convert", "burn"}
_GROUND = {"dig", "transform", "build", "forfeit"}


def answer_offer(replay: Replay) -> None:
    seat, builder = int(replay.s["seat"]), int(replay.s["builder"])
    row = 0 if replay.s["offer"][0, seat] else 1
    amount = int(replay.s["offer"][row, seat])
    who = replay.ledger.factions[builder]
    command = _next_answer(replay, seat, builder)
    if command is None:
        if answers_late(replay, seat, builder, amount):
            replay.late.append((seat, builder, amount))
            replay.perform(action_ids.STOP)
            return
        if declines_silently(replay, seat, builder):
            replay.perform(action_ids.STOP)
            return
        raise replay.blame(f"{amount} power from {who} must be taken or declined first")
    if int(command.words[0]) != amount:
        raise BadLedger(command.line, command.text, f"wrong amount: {who} offers {amount} power")
    replay.perform(action_ids.ACCEPT if command.verb == "leech" else action_ids.STOP, command)


def _next_answer(replay: Replay, seat: int, builder: int) -> Command | None:
    """The seat's next answer to this builder, before it converts or acts."""
    for command in replay.ledger.streams[seat]:
        if command.verb in ("leech", "decline") and replay.builder_of(command) == builder:
            return command
        if command.verb not in SOFT - _CHANGE:
            return None
    return None


def declines_silently(replay: Replay, seat: int, builder: int) -> bool:
    """Acting leaves open offers declined, unless the trace shows that an answer is missing."""
    stream, rows = replay.ledger.streams[seat], replay.trace.rows[seat]
    if not stream or not rows or replay.s["passed"][seat]:
        return False
    who = replay.ledger.factions[builder]
    expected = rows[0].left[0]
    return not expected.startswith(("leech", "decline")) or not expected.endswith(who)


def answers_late(replay: Replay, seat: int, builder: int, amount: int) -> bool:
    """May this answer stand after the seat's own next action? Not for a Cultists' build."""
    if "strict-leech" in replay.ledger.options or replay.s["faction"][builder] == CULTISTS:
        return False
    return any(
        command.verb in ("leech", "decline")
        and replay.builder_of(command) == builder
        and int(command.words[0]) == amount
        for command in replay.ledger.streams[seat]
    )


def decide_main(replay: Replay) -> None:
    seat = int(replay.s["seat"])
    if replay.s["actions_left"] == 0:
        decide_after_action(replay)
        return
    replay.settle_answers(seat)
    replay.drop_idle(seat)
    command = replay.head()
    if command is None:
        raise replay.blame("it is their turn")
    replay.line = command.line
    if command.verb in _CHANGE:
        change(replay, command)
    elif command.verb in ("dig", "build", "transform"):
        work_ground(replay, 0)
    else:
        replay.perform(to_action.of_main(replay.s, seat, command), command)


def decide_after_action(replay: Replay) -> None:
    command = replay.head()
    if command is not None and command.line == replay.line:
        if command.verb in _CHANGE:
            change(replay, command)
            return
        if command.verb == "connect":
            seat = int(replay.s["seat"])
            replay.perform(to_action.of_main(replay.s, seat, command), command)
            return
    replay.perform(action_ids.STOP)


def change(replay: Replay, command: Command) -> None:
    """A conversion of several units is that many conversions."""
    actions = to_action.of_change(command)
    for action in actions[:-1]:
        replay.perform(action)
    replay.perform(actions[-1], command)


def work_ground(replay: Replay, free: int) -> None:
    """Dig, transform and build on one line; what is built stands on the hex named last."""
    commands = one_action(replay, free)
    for action, used in to_action.of_ground(replay.s, int(replay.s["seat"]), commands, free):
        replay.perform(action, *used)


def one_action(replay: Replay, free: int) -> list[Command]:
    """The commands on this line up to the end of one action; conversions among them come first.

    A line may hold several turns: digging begins anew once all spades are used.
    """
    found: list[Command] = []
    changes: list[Command] = []
    worked: set[str] = set()
    left = free
    for command in replay.same_line():
        if command.verb in _CHANGE:
            changes.append(command)
            continue
        spent = worked and (free == 0 or left <= 0)
        again = command.verb == "build" and command.words[0] in worked
        if command.verb not in _GROUND or (spent and not again and command.verb != "forfeit"):
            break
        found.append(command)
        for earlier in changes:
            change(replay, earlier)
        changes = []
        if command.verb == "build":
            break
        if command.verb == "dig":
            left += int(command.words[0])
        elif command.verb == "transform":
            worked.add(command.words[0])
            left -= to_action.spades_of(replay.s, int(replay.s["seat"]), command)
    return found


def use_free_spades(replay: Replay) -> None:
    command = replay.head()
    if take_town_first(replay):
        return
    fits = command is not None and any(c.verb in _GROUND for c in replay.same_line())
    if not fits:
        raise replay.blame(f"{int(replay.s['spades'])} spades are left: transform, build or -SPADE")
    work_ground(replay, int(replay.s["spades"]))


def use_reward_spades(replay: Replay) -> None:
    seat = int(replay.s["seat"])
    replay.settle_answers(seat)
    command = replay.head()
    if command is None or command.verb not in ("transform", "forfeit"):
        left = int(replay.s["reward"][seat])
        raise replay.blame(f"{left} spades from the cult are left: transform or -{left}SPADE")
    if command.verb == "transform":
        replay.perform(to_action.of_transform(command), command)
        return
    number = int(command.words[0] or 1)
    if number != replay.s["reward"][seat]:
        raise replay.blame(f"wrong amount: {int(replay.s['reward'][seat])} spades are left")
    replay.perform(action_ids.STOP, command)


def take_town_first(replay: Replay) -> bool:
    """Is the next command a town tile that is due? Then it comes before other choices."""
    command = replay.head()
    if command is None or command.verb != "town" or not replay.s["towns_due"]:
        return False
    replay.perform(to_action.of_choice(replay.s, command), command)
    return True


def choose(replay: Replay, verb: str, missing: str) -> None:
    if take_town_first(replay):
        return
    command = replay.require(verb, missing)
    replay.perform(to_action.of_choice(replay.s, command), command)


def choose_top(replay: Replay) -> None:
    """The ledger does not say which track: take the one that the trace shows at 10."""
    seat = int(replay.s["seat"])
    waiting = [cult for cult in range(4) if int(replay.s["tops_due"]) >> cult & 1]
    rows = replay.trace.rows[seat]
    recorded = rows[0].after.get("cult", [0] * 4) if rows else [0] * 4
    cult = next((c for c in waiting if recorded[c] == 10), waiting[0])
    replay.perform(action_ids.PRIEST + 3 * cult)


def ordain(replay: Replay) -> None:
    """Darklings: workers to priests, or fewer than they might."""
    if take_town_first(replay):
        return
    used = []
    number = 0
    for command in replay.ledger.streams[int(replay.s["seat"])]:
        if command.verb == "ordain_less":
            used.append(command)
        elif command.verb == "convert" and command.words[1] == "w" and command.words[3] == "p":
            used.append(command)
            number += int(command.words[0] or 1)
        elif command.verb not in SOFT:
            break
    if number > 3:
        raise BadLedger(used[0].line, used[0].text, "wrong amount: at most 3 workers")
    replay.perform(action_ids.POWER_ACTION + number - 1 if number else action_ids.STOP, *used)


def place_start(replay: Replay) -> None:
    command = replay.require("build", "a start dwelling must be built")
    replay.perform(to_action.of_build(replay.s, int(replay.s["seat"]), command), command)


def faction_action(replay: Replay) -> None:
    """The free dwelling, the free trading post, or the sandstorm."""
    seat = int(replay.s["seat"])
    command = replay.head()
    if command is not None and command.verb in _CHANGE:
        change(replay, command)
        return
    if command is None or command.verb not in ("build", "upgrade", "transform"):
        raise replay.blame("the faction action needs a hex")
    if command.verb == "upgrade":
        replay.perform(to_action.of_main(replay.s, seat, command), command)
    elif command.verb == "build":
        replay.perform(to_action.of_build(replay.s, seat, command), command)
    else:
        commands = one_action(replay, 0)
        action, used = to_action.of_ground(replay.s, seat, commands, to_action.SANDSTORM)[0]
        replay.perform(action, *used)


DECIDE: Mapping[int, Callable[[Replay], None]] = {
    kinds.MAIN: decide_main,
    kinds.START_DWELLING: place_start,
    kinds.START_BONUS: lambda replay: choose(replay, "pass", "a bonus card must be taken"),
    kinds.FREE_SPADES: use_free_spades,
    kinds.SH_SPADES: use_free_spades,
    kinds.REWARD_SPADES: use_reward_spades,
    kinds.BRIDGING: lambda replay: choose(replay, "bridge", "a bridge must be placed"),
    kinds.CULT_STEP: lambda replay: choose(replay, "cult", "a cult must be chosen"),
    kinds.FAVOUR: lambda replay: choose(replay, "favour", "a favour tile must be taken"),
    kinds.TOWN: lambda replay: choose(replay, "town", "a town tile must be taken"),
    kinds.LEECH: answer_offer,
    kinds.FREE_DWELLING: faction_action,
    kinds.FREE_POST: faction_action,
    kinds.SANDSTORM: faction_action,
    kinds.TO_PRIESTS: ordain,
    kinds.CULT_TOP: choose_top,
}


def run(replay: Replay) -> None:
    """Replay to the end, or raise BadLedger at the first command that is wrong."""
    while replay.s["seat"] != OVER:
        replay.drop_idle(int(replay.s["seat"]))
        DECIDE[int(replay.s["kind"])](replay)
    for seat, stream in enumerate(replay.ledger.streams):
        replay.drop_idle(seat)
        replay.settle_answers(seat)
        if stream:
            raise BadLedger(stream[0].line, stream[0].text, "the game is over")
