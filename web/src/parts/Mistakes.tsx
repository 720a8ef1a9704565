// The marked decisions of a game, the dearest first: go there, try again, then see the answer.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { mistakeText } from "../review";
import type { GraphPoint, ValueGraph } from "../wire";

export interface MistakesProps {
  graph: ValueGraph;
  own: number | null; // the seat of the only person: its mistakes are listed first
  onPly: (ply: number) => void;
  onRetry?: (ply: number) => void; // a new game from the position before the decision
}

export function Mistakes({ graph, own, onPly, onRetry }: MistakesProps): JSX.Element {
  const [all, setAll] = useState(false);
  const byPly = new Map(graph.points.map((point) => [point.ply, point]));
  const found = graph.mistakes.map((ply) => byPly.get(ply)).filter((point) => point !== undefined);
  if (found.length === 0) {
    return <p class="hint">{graph.running ? "No mistakes found yet" : "No mistakes found"}</p>;
  }
  const mine = own === null ? found : found.filter((point) => point.seat === own);
  const others = found.length - mine.length;
  return (
    <ol class="mistakes">
      {mine.length === 0 && <li class="hint">You made no mistakes that the search can see.</li>}
      {(all ? found : mine).map((point) => (
        <Mistake key={point.ply} point={point} onPly={onPly} onRetry={onRetry} />
      ))}
      {others > 0 && (
        <li>
          <button type="button" class="link" onClick={() => setAll(!all)}>
            {all ? "Only my mistakes" : `Also show the others' ${others}`}
          </button>
        </li>
      )}
    </ol>
  );
}

type MistakeProps = { point: GraphPoint } & Pick<MistakesProps, "onPly" | "onRetry">;

function Mistake({ point, onPly, onRetry }: MistakeProps): JSX.Element {
  const [answer, setAnswer] = useState(false);
  return (
    <li>
      <button type="button" class="go" onClick={() => onPly(point.ply)} title="Show this position">
        <b>{point.mark}</b> Move {point.ply + 1}. {mistakeText(point)}
      </button>
      <div class="row">
        {onRetry && (
          <button type="button" onClick={() => onRetry(point.ply)} title="Try another move from here">
            Try again
          </button>
        )}
        {!answer && (
          <button type="button" onClick={() => setAnswer(true)}>
            Show the answer
          </button>
        )}
      </div>
      {answer && <Answer point={point} />}
    </li>
  );
}

/** The better move, what it leads to, and why the one that was played is worse. */
function Answer({ point }: { point: GraphPoint }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView?.({ block: "nearest" }), []);
  return (
    <div class="answer" ref={box}>
      <p>
        Better: <b>{point.best_sentence || point.best}</b>
      </p>
      {(point.best_line ?? []).length > 0 && <p>Then expected: {(point.best_line ?? []).join("; ")}</p>}
      {point.reply && <p>After what was played: {point.reply}</p>}
    </div>
  );
}
