// The bar at the top: where one is, where one can go, colours and keys.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useKeys } from "../keys";
import { useTheme, type Theme } from "../preferences";
import type { Route } from "../router";
import { Dialog } from "./Dialog";
import { Link } from "./Link";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

const KEYS: readonly [string, string][] = [
  ["/", "search the list of actions"],
  ["↑ ↓, Enter", "choose in the list, then confirm"],
  ["Tab, Enter", "walk through the highlighted shapes, click one"],
  ["Enter", "confirm the chosen action"],
  ["Esc, Backspace", "clear the selection, or one step back"],
  ["?", "this list"],
  ["s", "skip to the newest position"],
  ["r", "replay the others' turn"],
  ["u", "take back"],
  ["h", "hint"],
  ["← →", "one position back or forward (Analyse, Replay)"],
  ["Home End", "first and last position"],
  ["Space", "play or pause a replay"],
  ["n p", "next or previous mistake"],
  ["Shift", "magnifying glass on the board"],
];

export function Header({ route }: { route: Route }): JSX.Element {
  const [theme, setTheme] = useTheme();
  const [help, setHelp] = useState(false);
  useKeys({ "?": () => setHelp(true) });
  const play = route.screen === "start" || route.screen === "play";
  return (
    <header class="top">
      <Link to={{ screen: "start" }} class="brand" title="Stratagem: begin a game">
        <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
          <path fill="#0072B2" d="M8 0l7 4v8l-7 4-7-4V4z" />
          <circle cx="8" cy="8" r="3" fill="#F0E442" />
        </svg>
        <span>Stratagem</span>
      </Link>
      <nav aria-label="Screens">
        <Link to={{ screen: "start" }} current={play}>
          Play
        </Link>
        <Link to={{ screen: "open" }} current={route.screen === "open"}>
          Replay
        </Link>
        <Link to={{ screen: "training", run: null }} current={route.screen === "training"}>
          Training
        </Link>
        <Link to={{ screen: "leaderboard" }} current={route.screen === "leaderboard"}>
          Leaderboard
        </Link>
      </nav>
      <div class="push" />
      <button type="button" class="quiet" id="keys" onClick={() => setHelp(true)} title="Keys (?)">
        Keys
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => setTheme(NEXT[theme])}
        title={`Colours: ${theme}. Click for ${NEXT[theme]}.`}
      >
        {theme === "auto" ? "◐" : theme === "light" ? "○" : "●"} <span class="word">{theme}</span>
      </button>
      {help && (
        <Dialog title="Keys" onClose={() => setHelp(false)}>
          <table class="keys">
            <tbody>
              {KEYS.map(([key, meaning]) => (
                <tr key={key}>
                  <th scope="row">
                    <kbd>{key}</kbd>
                  </th>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Dialog>
      )}
    </header>
  );
}
