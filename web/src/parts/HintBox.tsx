// A hint: the best move and why, shown only when asked for.
import type { JSX } from "preact";
import { agentText, countText, percentText } from "../words";
import type { Analysis } from "../wire";

export interface HintBoxProps {
  hint: Analysis;
  onPlay: (action: number) => void;
  onClose: () => void;
}

/** Why this move: what it brings, what the next best would cost, what the search expects. */
export function reasonsOf(hint: Analysis): string[] {
  const [best, second] = hint.moveInfos;
  if (!best) return [];
  const reasons = [`Wins about ${percentText(best.winrate, 0)} of the games from here.`];
  if (best.scoreLead !== null && Math.abs(best.scoreLead) >= 0.5) {
    const lead = Math.abs(best.scoreLead).toFixed(0);
    const side = best.scoreLead > 0 ? "ahead" : "behind";
    reasons.push(`Leads to a position where you are ${lead} ${lead === "1" ? "point" : "points"} ${side}.`);
  }
  if (second && second.loss !== null) {
    const other = second.sentence || second.move;
    reasons.push(
      second.loss < 0.02
        ? `“${other}” is as good.`
        : `Instead, “${other}” costs ${(50 * second.loss).toFixed(1)} points of win chance.`,
    );
  }
  return reasons;
}

export function HintBox({ hint, onPlay, onClose }: HintBoxProps): JSX.Element | null {
  const [best] = hint.moveInfos;
  if (!best) return null;
  return (
    <div class="hint-box" role="status">
      <div class="row">
        <strong title={best.move}>{best.sentence || best.move}</strong>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close the hint">
          ×
        </button>
      </div>
      <ul class="reasons">
        {reasonsOf(hint).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {best.line && best.line.length > 1 && <p class="muted">What it expects next:</p>}
      {best.line && best.line.length > 1 && (
        <ol class="line" aria-label="What the search expects next" start={2}>
          {best.line.slice(1, 4).map((sentence, index) => (
            <li key={index}>{sentence}</li>
          ))}
        </ol>
      )}
      <div class="row">
        <button type="button" onClick={() => onPlay(best.action)}>
          Choose it
        </button>
      </div>
      <p class="muted">
        <span title={hint.agent}>{agentText(hint.agent)}</span>, {countText(best.visits)} of{" "}
        {countText(hint.rootInfo.visits)} simulations
      </p>
    </div>
  );
}
