// Measured strength: the ratings of games that have a ladder, and every match.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Problem, Waiting } from "../parts/Notice";
import { agentText, capital, countText, percentText, range } from "../words";
import type { GameInfo, Leaderboard as LeaderboardData, LeaderboardRow, RatedGame } from "../wire";

export function Leaderboard(): JSX.Element {
  const [leaderboard, setLeaderboard] = useState<LeaderboardData | null>(null);
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState("");
  useEffect(() => {
    api.leaderboard().then(setLeaderboard, (error: Error) => setProblem(error.message));
    api.games().then((found) => setTitles(titlesOf(found)), () => undefined);
  }, []);
  const games = leaderboard ? gamesOf(leaderboard) : [];
  return (
    <main class="training">
      <section class="card">
        <h1>Leaderboard</h1>
        <p class="hint">
          Ratings work as in chess: 400 points more mean ten wins for each loss. They count from random moves, which
          have 0, and so do the bars, their 95 % intervals; the matches below compare two players directly.
        </p>
        <Problem text={problem} />
        {!leaderboard && !problem && <Waiting />}
        {leaderboard && games.length === 0 && <p>Nothing has been measured yet.</p>}
        {leaderboard &&
          games.map((game) => (
            <Game
              key={game}
              title={titles.get(game) ?? game}
              ladder={leaderboard.ladders.find((one) => one.game === game) ?? null}
              rows={leaderboard.rows.filter((row) => row.game === game)}
            />
          ))}
      </section>
    </main>
  );
}

/** Every measured game, those with a rating first. */
export function gamesOf({ ladders, rows }: LeaderboardData): string[] {
  return [...new Set([...ladders, ...rows].map((one) => one.game))];
}

interface GameProps {
  title: string;
  ladder: RatedGame | null;
  rows: readonly LeaderboardRow[];
}

function Game({ title, ladder, rows }: GameProps): JSX.Element {
  return (
    <div class="scroll">
      <h2>{title}</h2>
      {ladder ? (
        <>
          <Ratings ladder={ladder} />
          <details>
            <summary>{rows.length === 1 ? "1 measured match" : `${rows.length} measured matches`}</summary>
            <Matches rows={rows} />
          </details>
        </>
      ) : (
        <>
          <p class="hint">Not rated yet: only these matches have been played.</p>
          <Matches rows={rows} />
        </>
      )}
    </div>
  );
}

function Ratings({ ladder }: { ladder: RatedGame }): JSX.Element {
  const low = Math.min(...ladder.rungs.map((rung) => rung.low));
  const width = Math.max(1, Math.max(...ladder.rungs.map((rung) => rung.high)) - low);
  const place = (rating: number): string => `${(100 * (rating - low)) / width}%`;
  return (
    <table class="leaderboard ratings">
      <thead>
        <tr>
          <th scope="col">Player</th>
          <th scope="col" class="number">
            Rating
          </th>
          <th scope="col">95 % interval</th>
          <th scope="col" class="number">
            Games
          </th>
        </tr>
      </thead>
      <tbody>
        {ladder.rungs.map((rung) => (
          <tr key={rung.agent}>
            <th scope="row" title={rung.agent}>
              {capital(agentText(rung.agent))}
            </th>
            <td class="number">{Math.round(rung.rating)}</td>
            <td class="interval plain" title={`${Math.round(rung.low)} to ${Math.round(rung.high)}`}>
              <span style={{ left: place(rung.low), width: `${(100 * (rung.high - rung.low)) / width}%` }} />
              <i style={{ left: place(rung.rating) }} />
            </td>
            <td class="number">{countText(rung.games)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Matches({ rows }: { rows: readonly LeaderboardRow[] }): JSX.Element {
  return (
    <table class="leaderboard">
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.agent} ${row.opponent}`} row={row} />
        ))}
      </tbody>
    </table>
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
