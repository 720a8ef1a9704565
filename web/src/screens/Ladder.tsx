// The measured matches of the leaderboard, with their intervals.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Problem, Waiting } from "../parts/Notice";
import { percentText, range } from "../words";
import type { Ladder as LadderData, LadderRow } from "../wire";

export function Ladder(): JSX.Element {
  const [ladder, setLadder] = useState<LadderData | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    api.ladder().then(setLadder, (error: Error) => setProblem(error.message));
  }, []);
  const games = [...new Set(ladder?.rows.map((row) => row.game) ?? [])];
  return (
    <main class="training">
      <section class="card">
        <h1>Measured strength</h1>
        <p class="hint">
          Score is (wins + draws / 2) / games of the first agent; the bar is its 95 % Wilson interval.
        </p>
        <Problem text={problem} />
        {!ladder && !problem && <Waiting />}
        {ladder?.rows.length === 0 && <p>Nothing has been measured yet.</p>}
        {games.map((game) => (
          <div key={game} class="scroll">
            <h2>{game}</h2>
            <table class="ladder">
              <tbody>
                {ladder?.rows.filter((row) => row.game === game).map((row, index) => (
                  <Row key={index} row={row} />
                ))}
              </tbody>
            </table>
          </div>
        ))}
      </section>
    </main>
  );
}

function Row({ row }: { row: LadderRow }): JSX.Element {
  return (
    <tr title={row.command}>
      <th scope="row">{row.agent}</th>
      <td>against {row.opponent}</td>
      <td class="interval">
        <span style={{ left: `${100 * row.low}%`, width: `${100 * (row.high - row.low)}%` }} />
        <i style={{ left: `${100 * row.score}%` }} />
      </td>
      <td class="number">{percentText(row.score)}</td>
      <td class="muted">
        {range(row.low, row.high)}, {row.games} games, {row.date}
      </td>
    </tr>
  );
}
