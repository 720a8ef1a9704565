// The page of `stratagem serve`, and of a replay that carries its game inside.
import { render, type JSX } from "preact";
import { ArrowHead } from "./board/ArrowHead";
import { installPalette } from "./palette";
import { applyTheme } from "./preferences";
import { Header } from "./parts/Header";
import { Link } from "./parts/Link";
import { useRoute, type Route } from "./router";
import { Analyse } from "./screens/Analyse";
import { Join } from "./screens/Join";
import { Leaderboard } from "./screens/Leaderboard";
import { Open } from "./screens/Open";
import { Play } from "./screens/Play";
import { Replay, SelfContained } from "./screens/Replay";
import { Start } from "./screens/Start";
import { Training } from "./screens/Training";
import { Problem } from "./parts/Notice";
import { packedReplay, unpack } from "./selfContained";
// In this order: later sheets adjust earlier ones.
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/header.css";
import "./styles/start.css";
import "./styles/session.css";
import "./styles/board.css";
import "./styles/side.css";
import "./styles/sheets.css";
import "./styles/analysis.css";
import "./styles/training.css";
import "./styles/narrow.css";

function Screen({ route }: { route: Route }): JSX.Element {
  switch (route.screen) {
    case "start":
      return <Start />;
    case "play":
      return <Play key={route.session} id={route.session} />;
    case "analyse":
      return <Analyse key={route.session} id={route.session} ply={route.ply} />;
    case "replay":
      return <Replay key={route.session} id={route.session} ply={route.ply} />;
    case "join":
      return <Join id={route.session} invitation={route.invitation} />;
    case "open":
      return <Open />;
    case "training":
      return <Training run={route.run} others={route.others ?? []} />;
    case "leaderboard":
      return <Leaderboard />;
    case "lost":
      return (
        <main class="lost">
          <p>There is nothing at {route.path}.</p>
          <Link to={{ screen: "start" }}>Begin a game</Link>
        </main>
      );
  }
}

function Page(): JSX.Element {
  const route = useRoute();
  return (
    <>
      <ArrowHead />
      <Header route={route} />
      <Screen route={route} />
    </>
  );
}

/** A page without a server: unpack the game it carries, then show it. */
async function showReplay(packed: string, target: HTMLElement): Promise<void> {
  try {
    const data = await unpack(packed);
    render(
      <>
        <ArrowHead />
        <SelfContained data={data} />
      </>,
      target,
    );
  } catch (error) {
    render(<Problem text={`This file is damaged: ${String(error)}`} />, target);
  }
}

applyTheme();
installPalette();
const target = document.getElementById("page");
if (target) {
  const packed = packedReplay();
  if (packed === null) render(<Page />, target);
  else void showReplay(packed, target);
}
