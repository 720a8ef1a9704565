// The marked decisions of a game, the dearest first: go there, try again, then see the answer.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { mistakeText } from "../review";
import { playerText } from "../words";
import type { GraphPoint, ValueGraph } from "../wire";

export interface MistakesProps {
  graph: ValueGraph;
  onPly: (ply: number) => void;
  onRetry?: (ply: number) => void; // a new game from the position before the decision
}

export function Mistakes({ graph, onPly, onRetry }: MistakesProps): JSX.Element {
  const byPly = new Map(graph.points.map((point) => [point.ply, point]));
  const found = graph.mistakes.map((ply) => byPly.get(ply)).filter((point) => point !== undefined);
  if (found.length === 0) {
    return <p class="hint">{graph.running ? "No mistakes found yet" : "No mistakes found"}</p>;
  }
  return (
    <ol class="mistakes">
      {found.map((point) => (
        <Mistake key={point.ply} point={point} onPly={onPly} onRetry={onRetry} />
      ))}
    </ol>
  );
}

type MistakeProps = { point: GraphPoint } & Pick<MistakesProps, "onPly" | "onRetry">;

function Mistake({ point, onPly, onRetry }: MistakeProps): JSX.Element {
  const [answer, setAnswer] = useState(false);
  return (
    <li>
      <button type="button" class="go" onClick={() => onPly(point.ply)} title="Show this position">
        <b>{point.mark}</b> Move {point.ply + 1}, {playerText(point.seat)}. {mistakeText(point)}
      </button>
      <div class="row">
        {onRetry && (
          <button type="button" onClick={() => onRetry(point.ply)} title="Try another move from here">
            Try again
          </button>
        )}
        {answer ? (
          <span>
            Better: <b>{point.best_sentence || point.best}</b>
          </span>
        ) : (
          <button type="button" onClick={() => setAnswer(true)}>
            Show the answer
          </button>
        )}
      </div>
    </li>
  );
}
