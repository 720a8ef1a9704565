// Candidate moves of a searched position: prior, visits, value, loss against the best, line of play.
import type { JSX } from "preact";
import { agentText, countText, percentText } from "../words";
import type { Analysis, MoveInfo } from "../wire";

export interface CandidateTableProps {
  analysis: Analysis;
  rows?: number;
  brief?: boolean; // without loss and line of play, for a narrow place
  pointed?: number | null;
  onPoint?: (move: MoveInfo | null) => void;
  onPick?: (move: MoveInfo) => void;
}

export function CandidateTable(props: CandidateTableProps): JSX.Element {
  const { analysis, rows = 12, brief, pointed, onPoint, onPick } = props;
  const total = Math.max(1, analysis.rootInfo.visits);
  const shown = analysis.moveInfos.filter((move, index) => index < rows || move.played);
  return (
    <div class="candidates">
      <p class="muted">
        <span title={analysis.agent}>{agentText(analysis.agent)}</span>,{" "}
        {countText(analysis.rootInfo.visits)} visits{analysis.isDuringSearch && " and counting"}. Win chances are
        those of {analysis.perspective}: {percentText(analysis.rootInfo.winrate)} in this position.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col" title="How much the network likes the move before any search">
              Prior
            </th>
            <th scope="col" title="How often the search tried the move">
              Visits
            </th>
            <th scope="col" title="Chance to win after the move">
              Win
            </th>
            {!brief && (
              <>
                <th scope="col" title="Win chance given away against the best move">
                  Loss
                </th>
                <th scope="col">Line of play</th>
              </>
            )}
          </tr>
        </thead>
        <tbody onMouseLeave={() => onPoint?.(null)}>
          {shown.map((move) => (
            <tr
              key={move.action}
              class={`${move.played ? "played" : ""}${pointed === move.action ? " pointed" : ""}`}
              onMouseEnter={() => onPoint?.(move)}
            >
              <th scope="row">
                {onPick ? (
                  <button
                    type="button"
                    class="link"
                    onFocus={() => onPoint?.(move)}
                    onClick={() => onPick(move)}
                    title="See the position after this move"
                  >
                    {move.sentence || move.move}
                  </button>
                ) : (
                  move.sentence || move.move
                )}
                {move.played && <small> (played{move.mark && ` ${move.mark}`})</small>}
              </th>
              <td class="number">
                <Share share={move.prior} />
              </td>
              <td class="number">
                <Share share={move.visits / total} text={countText(move.visits)} />
              </td>
              <td class="number">{percentText(move.winrate)}</td>
              {!brief && (
                <>
                  <td class="number">{move.loss === null ? "–" : percentText(move.loss / 2)}</td>
                  <td class="wide line" title={move.pv.join(" · ")}>
                    {(move.line ?? move.pv).slice(1, 4).join(" · ")}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {analysis.moveInfos.length > shown.length && (
        <p class="hint">and {analysis.moveInfos.length - shown.length} more</p>
      )}
    </div>
  );
}

function Share({ share, text }: { share: number; text?: string }): JSX.Element {
  return (
    <span class="share" style={{ "--share": `${Math.min(100, 100 * share)}%` }}>
      {text ?? percentText(share)}
    </span>
  );
}
