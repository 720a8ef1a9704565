// The measured matches of the leaderboard, with their intervals.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Problem, Waiting } from "../parts/Notice";
import { agentText, capital, percentText, range } from "../words";
import type { GameInfo, Leaderboard as LeaderboardData, LeaderboardRow } from "../wire";

export function Leaderboard(): JSX.Element {
  const [leaderboard, setLeaderboard] = useState<LeaderboardData | null>(null);
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState("");
  useEffect(() => {
    api.leaderboard().then(setLeaderboard, (error: Error) => setProblem(error.message));
    api.games().then((found) => setTitles(titlesOf(found)), () => undefined);
  }, []);
  const games = [...new Set(leaderboard?.rows.map((row) => row.game) ?? [])];
  return (
    <main class="training">
      <section class="card">
        <h1>Measured strength</h1>
        <p class="hint">
          The score of the first player: games won, and draws by half. The bar is its 95 % Wilson interval.
        </p>
        <Problem text={problem} />
        {!leaderboard && !problem && <Waiting />}
        {leaderboard?.rows.length === 0 && <p>Nothing has been measured yet.</p>}
        {games.map((game) => (
          <div key={game} class="scroll">
            <h2 title={game}>{titles.get(game) ?? game}</h2>
            <table class="leaderboard">
              <tbody>
                {leaderboard?.rows.filter((row) => row.game === game).map((row, index) => (
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

/** What people call a game and its scenario, by its spec: "Catan: Official rules". */
export function titlesOf(games: readonly GameInfo[]): ReadonlyMap<string, string> {
  return new Map(
    games.flatMap((game) =>
      game.scenarios.map((one): [string, string] => {
        const name = one.title || one.name;
        return [one.spec, name === game.title || name === "default" ? game.title : `${game.title}: ${name}`];
      }),
    ),
  );
}

function Row({ row }: { row: LeaderboardRow }): JSX.Element {
  return (
    <tr title={row.command}>
      <th scope="row" title={row.agent}>
        {capital(agentText(row.agent))}
      </th>
      <td title={row.opponent}>against {agentText(row.opponent)}</td>
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
