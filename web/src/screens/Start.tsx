// Begin a game: which game, which scenario, who plays; and the games that are already there.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Link } from "../parts/Link";
import { RulesButton } from "../parts/RulesButton";
import { Problem, Waiting } from "../parts/Notice";
import { HUMAN, INVITED, SeatPicker, specOf, type SeatChoice } from "../parts/SeatPicker";
import { tourName } from "../parts/TourBox";
import { remember, usePreference } from "../preferences";
import { go } from "../router";
import { listedText } from "../review";
import { companyText, dateText, readyingText } from "../words";
import type { GameInfo, GameSetup, SessionSummary } from "../wire";

const MOST_SIMS = 12800; // where the server does not say
const PATIENCE = 1500; // milliseconds without a word

export function Start(): JSX.Element {
  const [games, setGames] = useState<GameInfo[] | null>(null);
  const [problem, setProblem] = useState("");
  const [name, setName] = usePreference("game", "");
  useEffect(() => {
    api.games().then(setGames, (error: Error) => setProblem(error.message));
  }, []);
  const game = games?.find((one) => one.name === name) ?? games?.[0];
  return (
    <main class="start">
      <section class="card new-game" aria-label="New game">
        <h1>New game</h1>
        <Problem text={problem} onDismiss={() => setProblem("")} />
        {!games && !problem && <Waiting />}
        {games && (
          <div class="games" role="radiogroup" aria-label="Game">
            {games.map((one) => (
              <label key={one.name} class="game-choice" title={one.summary}>
                <input
                  type="radio"
                  name="game"
                  value={one.name}
                  checked={one.name === game?.name}
                  onChange={() => setName(one.name)}
                />
                {one.picture && <img src={api.picturePath(one.name)} alt="" width={56} height={56} />}
                <strong>{one.title}</strong>
                <small>{one.seats} players</small>
              </label>
            ))}
          </div>
        )}
        {game && <NewGame key={game.name} game={game} onProblem={setProblem} />}
      </section>
      <SessionList />
    </main>
  );
}

type Company = "opponent" | "people" | "friend" | "agents";
const COMPANIES: readonly [Company, string][] = [
  ["opponent", "Against the computer"],
  ["friend", "With a friend, by link"],
  ["people", "People on this screen"],
  ["agents", "Watch the computer play"],
];

/** Everybody's place for a way of playing: against an agent, among people, agents to watch. */
export function seated(company: Company, setup: GameSetup): SeatChoice[] {
  return Array.from({ length: setup.num_seats }, (_, seat) => {
    const human = company === "people" || (company !== "agents" && seat === 0);
    if (company === "friend" && seat === 1) return { agent: INVITED, sims: null };
    return { agent: human ? HUMAN : setup.default_opponent, sims: null };
  });
}

function NewGame({ game, onProblem }: { game: GameInfo; onProblem: (text: string) => void }) {
  const [scenario, setScenario] = useState(game.scenarios[0]?.spec ?? game.name);
  const [setup, setSetup] = useState<GameSetup | null>(null);
  const [seats, setSeats] = useState<SeatChoice[]>([]);
  const [company, setCompany] = useState<Company | null>("opponent"); // null: seats chosen one by one
  const [seed, setSeed] = useState("");
  const [serious, setSerious] = useState(false);
  const [mostSims, setMostSims] = useState(MOST_SIMS);
  const [busy, setBusy] = useState(false);
  const [name, setName] = usePreference("name", "");
  const late = useLate(busy);

  useEffect(() => {
    let current = true;
    setSetup(null);
    api.setup(scenario).then(
      (found) => {
        if (!current) return;
        setSetup(found);
        setSeats(seated("opponent", found));
        setCompany("opponent");
      },
      (error: Error) => onProblem(error.message),
    );
    return () => {
      current = false;
    };
  }, [scenario]);
  useEffect(() => {
    api.info().then((info) => setMostSims(info.limits.sims), () => undefined);
  }, []);

  const beginTour = async (): Promise<void> => {
    setBusy(true);
    try {
      const tour = await api.tour(game.name);
      const { num_seats } = await api.setup(tour.game);
      const others = Array<string>(num_seats - 1).fill(tour.opponent);
      const session = await api.newSession({ game: tour.game, seats: [HUMAN, ...others] });
      remember(tourName(session.id), { step: 0, from: 0 });
      go({ screen: "play", session: session.id });
    } catch (error) {
      onProblem((error as Error).message);
      setBusy(false);
    }
  };
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!setup) return;
    setBusy(true);
    try {
      const session = await api.newSession({
        game: setup.game,
        seats: seats.map((choice) => specOf(choice, setup.opponents)),
        serious,
        ...(invite.length ? { invite, name } : {}),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
      });
      go({ screen: "play", session: session.id });
    } catch (error) {
      onProblem((error as Error).message);
      setBusy(false);
    }
  };

  const invite = seats.flatMap((choice, seat) => (choice.agent === INVITED ? [seat] : []));
  const about = game.scenarios.find((one) => one.spec === scenario);
  return (
    <form onSubmit={(event) => void begin(event)}>
      <div class="row about">
        <p class="summary">{game.summary}</p>
        <RulesButton game={game.name} title={game.title} />
        {game.tour && (
          <button type="button" id="tour" disabled={busy} onClick={() => void beginTour()}>
            Guided first game
          </button>
        )}
      </div>
      <label class="field">
        <span>Scenario</span>
        <select value={scenario} onChange={(event) => setScenario(event.currentTarget.value)}>
          {game.scenarios.map((one) => (
            <option key={one.spec} value={one.spec}>
              {one.title || one.name}
              {one.recommended && " (recommended)"}
            </option>
          ))}
        </select>
      </label>
      {about?.summary && <p class="hint">{about.summary}</p>}
      {!setup && <Waiting text="Looking up opponents…" />}
      {setup && (
        <>
          <div class="company" role="group" aria-label="Way of playing">
            {COMPANIES.filter(([kind]) => kind !== "friend" || setup.num_seats > 1).map(([kind, title]) => (
              <button
                key={kind}
                type="button"
                aria-pressed={company === kind}
                onClick={() => {
                  setSeats(seated(kind, setup));
                  setCompany(kind);
                }}
              >
                {title}
              </button>
            ))}
          </div>
          <div class="seat-pickers">
            {seats.map((choice, seat) => (
              <SeatPicker
                key={seat}
                seat={seat}
                seats={setup.num_seats}
                brief={seats.slice(0, seat).some((other) => sameAs(other, choice))}
                choice={choice}
                opponents={setup.opponents}
                mostSims={mostSims}
                onChange={(next) => {
                  setSeats(seats.map((old, place) => (place === seat ? next : old)));
                  setCompany(null);
                }}
              />
            ))}
          </div>
          {invite.length > 0 && (
            <label class="field">
              <span>Your name (optional)</span>
              <input
                maxLength={24}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </label>
          )}
          <div class="row">
            <label class="field small">
              <span>Seed</span>
              <input
                inputMode="numeric"
                pattern="[0-9]*"
                placeholder="random"
                value={seed}
                onInput={(event) => setSeed(event.currentTarget.value)}
              />
            </label>
            <label class="check" title="A serious game: no hints, and nothing is taken back across dice or other seats">
              <input
                type="checkbox"
                checked={serious || invite.length > 0}
                disabled={invite.length > 0}
                onChange={(event) => setSerious(event.currentTarget.checked)}
              />
              No take-backs or hints
            </label>
            <div class="push" />
            <button class="primary large" disabled={busy}>
              {busy ? "Setting up…" : "Begin"}
            </button>
          </div>
          {late && (
            <p class="hint" role="status">
              {readyingText(game.title, game.compile_seconds)}
            </p>
          )}
        </>
      )}
    </form>
  );
}

const sameAs = (one: SeatChoice, other: SeatChoice): boolean => one.agent === other.agent && one.sims === other.sims;

/** Whether something goes on for longer than people wait without a word. */
function useLate(busy: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [busy]);
  return late;
}

function SessionList(): JSX.Element | null {
  const [sessions, setSessions] = useState<SessionSummary[]>([]);
  useEffect(() => {
    api.sessions().then(setSessions, () => undefined);
  }, []);
  return (
    <section class="card sessions" aria-label="Games on this server">
      <h2>Your games</h2>
      {sessions.length === 0 && <p class="hint">None yet. Games stay here when the page is closed.</p>}
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <Link
              to={
                session.status === "record"
                  ? { screen: "replay", session: session.id, ply: null }
                  : { screen: "play", session: session.id }
              }
            >
              <strong>{session.title}</strong>
              <span>{companyText(session.seats)}</span>
              <small>
                {listedText(session)}, {session.plies === 1 ? "1 step" : `${session.plies} steps`},{" "}
                {dateText(session.changed)}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
