// The buttons of a session: take back, hint, resign, rematch, pause, save, and the ways to look at it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api";
import { PACES } from "../playback";
import { aboutAgent, useSetup } from "../opponents";
import { go } from "../router";
import type { Session } from "../session";
import { agentText } from "../words";
import type { SessionState } from "../wire";
import { Link } from "./Link";
import { DiceInfo } from "./DiceInfo";
import { Dialog } from "./Dialog";
import { RulesButton } from "./RulesButton";

export interface SessionBarProps {
  state: SessionState;
  session: Session;
  onHint: () => void;
}

export function SessionBar({ state, session, onHint }: SessionBarProps): JSX.Element {
  const { id, possible } = state;
  const [sure, setSure] = useState(false);
  const [about, setAbout] = useState(false);
  const people = state.seats.filter((seat) => seat.kind === "human").length;
  const watching = state.status !== "over" && state.seats.every((seat) => seat.kind === "agent");
  const over = state.status === "over";
  const backTitle = state.dice.rolls
    ? "Take back to your last decision (dice stay the same)"
    : "Take back to your last decision";
  return (
    <div class="session-bar">
      <SessionTabs state={state} screen="play" />
      <div class="buttons">
        {people > 0 && (
          <>
            <button
              type="button"
              disabled={!possible.take_back}
              title={backTitle}
              onClick={() => void session.send(() => api.takeBack(id))}
            >
              Take back
            </button>
            {!over && (
              <button
                type="button"
                disabled={!possible.hint}
                title={`Ask ${agentText(state.adviser)} for the best move`}
                onClick={onHint}
              >
                Hint
              </button>
            )}
          </>
        )}
        {watching && <Pace state={state} session={session} />}
        {possible.resign &&
          (sure ? (
            <>
              <button
                type="button"
                class="danger"
                onClick={() => {
                  setSure(false);
                  void session.send(() => api.resign(id));
                }}
              >
                Really resign
              </button>
              <button type="button" onClick={() => setSure(false)}>
                No
              </button>
            </>
          ) : (
            <button type="button" onClick={() => setSure(true)}>
              Resign
            </button>
          ))}
        {over && (people > 0 || !state.table) && <RematchButtons session={session} state={state} />}
        <RulesButton game={state.game} title={state.title} />
        <a
          class="button"
          href={api.recordPath(id)}
          download={`${id}.jsonl`}
          title="Save this game as a record"
          aria-disabled={!possible.download}
        >
          Save
        </a>
        <button type="button" onClick={() => setAbout(true)} title="Who plays, how strong they are, and the dice">
          About
        </button>
      </div>
      {about && (
        <Dialog title={state.title} onClose={() => setAbout(false)}>
          <p>
            Scenario <code>{state.game}</code>, rules version {state.version}
            {state.serious && "; no take-backs or hints"}
          </p>
          <Company state={state} />
          <DiceInfo dice={state.dice} />
        </Dialog>
      )}
    </div>
  );
}

/** Who sits where, and what is known of each. */
function Company({ state }: { state: SessionState }): JSX.Element {
  const setup = useSetup(state.game);
  return (
    <ul class="company-list">
      {state.seats.map((seat) => (
        <li key={seat.seat}>
          <strong>
            Player {seat.seat + 1}: {seat.title}
          </strong>
          {seat.kind === "agent" && (
            <>
              {" "}
              <code>{seat.agent}</code>
              {setup && <p class="hint">{aboutAgent(seat.agent, setup)}</p>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function RematchButtons({ session, state }: { session: Session; state: SessionState }): JSX.Element {
  const { id, table } = state;
  const next = table?.rematch;
  if (next) {
    return (
      <button type="button" class="primary" onClick={() => go({ screen: "play", session: next })}>
        Join the rematch
      </button>
    );
  }
  const again = async (swap: boolean): Promise<void> => {
    const next = await session.ask(() => api.rematch(id, swap));
    if (next) go({ screen: "play", session: next.id });
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => void again(true)} title="A new game with the seats swapped">
        Rematch
      </button>
      <button type="button" onClick={() => void again(false)} title="A rematch in which everybody keeps their seat">
        Same seats
      </button>
    </>
  );
}

function Pace({ state, session }: { state: SessionState; session: Session }): JSX.Element {
  const paused = state.status === "paused";
  const known = PACES.some(([pace]) => pace === state.pace_ms);
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={() => void session.send(() => api.pause(state.id, !paused))}
      >
        {paused ? "Go on" : "Pause"}
      </button>
      <select
        aria-label="Pace"
        value={state.pace_ms}
        onChange={(event) => {
          const pace = Number(event.currentTarget.value);
          void session.send(() => api.pause(state.id, paused, pace));
        }}
      >
        {!known && <option value={state.pace_ms}>{state.pace_ms} ms</option>}
        {PACES.map(([pace, name]) => (
          <option key={pace} value={pace}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

/** Play, Analyse and Replay of one session. */
export function SessionTabs(props: { state: SessionState; screen: "play" | "analyse" | "replay"; ply?: number }) {
  const { state, screen, ply } = props;
  const at = ply ?? null;
  return (
    <div class="session-tabs">
      <strong class="game-title" title={state.game}>
        {state.title}
      </strong>
      <nav aria-label="This game">
        {state.status !== "record" && (
          <Link to={{ screen: "play", session: state.id }} current={screen === "play"}>
            Play
          </Link>
        )}
        <Link to={{ screen: "analyse", session: state.id, ply: at }} current={screen === "analyse"}>
          Analyse
        </Link>
        <Link to={{ screen: "replay", session: state.id, ply: at }} current={screen === "replay"}>
          Replay
        </Link>
      </nav>
    </div>
  );
}
