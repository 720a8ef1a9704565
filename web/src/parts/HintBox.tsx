// A hint: the best move and why, shown only when asked for.
import type { JSX } from "preact";
import { countText, percentText, valueText } from "../words";
import type { Analysis } from "../wire";

export interface HintBoxProps {
  hint: Analysis;
  onPlay: (action: number) => void;
  onClose: () => void;
}

export function HintBox({ hint, onPlay, onClose }: HintBoxProps): JSX.Element | null {
  const [best, second] = hint.moveInfos;
  if (!best) return null;
  return (
    <div class="hint-box" role="status">
      <div class="row">
        <strong title={best.move}>{best.sentence || best.move}</strong>
        <div class="push" />
        <button type="button" onClick={() => onPlay(best.action)}>
          Choose it
        </button>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close the hint">
          ×
        </button>
      </div>
      <p>
        Win rate {percentText(best.winrate)} (value {valueText(best.value)}), prior{" "}
        {percentText(best.prior)}, {countText(best.visits)} of {countText(hint.rootInfo.visits)}{" "}
        visits.
        {second?.loss !== null && second?.loss !== undefined && (
          <>
            {" "}
            Next best, {second.sentence || second.move}, gives away {percentText(second.loss / 2)}.
          </>
        )}
      </p>
      {best.line && best.line.length > 1 && (
        <ol class="line" aria-label="What the search expects next" start={2}>
          {best.line.slice(1, 5).map((sentence, index) => (
            <li key={index}>{sentence}</li>
          ))}
        </ol>
      )}
      <p class="muted">
        {hint.agent}, seen by {hint.perspective}
      </p>
    </div>
  );
}
