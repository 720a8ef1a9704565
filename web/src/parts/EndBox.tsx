// The end of a game: how it went, and the way to learn from it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api";
import { endText, ownSeat } from "../review";
import { go } from "../router";
import type { Session } from "../session";
import { scoreText } from "../words";
import type { SessionState } from "../wire";

export function EndBox({ session, state }: { session: Session; state: SessionState }): JSX.Element | null {
  const [busy, setBusy] = useState(false);
  const { result, seats } = state;
  if (!result) return null;
  const own = ownSeat(seats);
  const review = async (): Promise<void> => {
    setBusy(true);
    const begun = await session.ask(() => api.graph(state.id));
    const known = begun !== null && (begun.running || begun.done >= begun.total);
    if (!known) await session.ask(() => api.analyseGame(state.id, {}));
    go({ screen: "analyse", session: state.id, ply: state.plies });
  };
  const told = result.scores.some((score) => Math.abs(score) > 1);
  const mine = own === null ? 0 : (result.returns?.[own] ?? 0);
  return (
    <div class={`end ${mine > 0 ? "won" : mine < 0 ? "lost" : ""}`}>
      <strong>{endText(state)}</strong>
      {told && (
        <table>
          <tbody>
            {seats.map((seat) => (
              <tr key={seat.seat}>
                <th scope="row">
                  Player {seat.seat + 1}, {seat.title}
                </th>
                <td class="number">{scoreText(result.scores[seat.seat])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button type="button" class="primary" id="review" disabled={busy} onClick={() => void review()}>
        {busy ? "Beginning…" : "Review this game"}
      </button>
      <p class="hint">
        {state.dice.rolls > 0 ? "Mistakes and dice, what they cost" : "Mistakes, what they cost"}, and a second try at
        each decision.
      </p>
    </div>
  );
}
