// Addresses of the page. Every screen has one, so that reloading and sharing keep the place.
import { useEffect, useState } from "preact/hooks";

export type Route =
  | { screen: "start" }
  | { screen: "play"; session: string }
  | { screen: "analyse"; session: string; ply: number | null }
  | { screen: "replay"; session: string; ply: number | null }
  | { screen: "join"; session: string; invitation: string }
  | { screen: "open" }
  | { screen: "training"; run: string | null; others?: string[] }
  | { screen: "leaderboard" }
  | { screen: "lost"; path: string };

export function parse(location: { pathname: string; search: string }): Route {
  const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const given = new URLSearchParams(location.search).get("ply");
  const ply = given !== null && /^\d+$/.test(given) ? Number(given) : null;
  const [first, second, third] = parts;
  if (first === undefined) return { screen: "start" };
  if (first === "g" && second !== undefined) {
    if (third === undefined) return { screen: "play", session: second };
    if (third === "analyse" || third === "replay") return { screen: third, session: second, ply };
  }
  if (first === "join" && second !== undefined && third === undefined) {
    const invitation = new URLSearchParams(location.search).get("invite") ?? "";
    return { screen: "join", session: second, invitation };
  }
  if (first === "replay" && second === undefined) return { screen: "open" };
  if (first === "training") {
    const others = new URLSearchParams(location.search).getAll("with").filter((name) => name !== second);
    return { screen: "training", run: second ?? null, ...(others.length ? { others } : {}) };
  }
  if (first === "leaderboard" && second === undefined) return { screen: "leaderboard" };
  return { screen: "lost", path: location.pathname };
}

export function format(route: Route): string {
  const id = (text: string): string => encodeURIComponent(text);
  switch (route.screen) {
    case "start":
      return "/";
    case "play":
      return `/g/${id(route.session)}`;
    case "analyse":
    case "replay": {
      const end = route.ply === null ? "" : `?ply=${route.ply}`;
      return `/g/${id(route.session)}/${route.screen}${end}`;
    }
    case "join":
      return `/join/${id(route.session)}?invite=${id(route.invitation)}`;
    case "open":
      return "/replay";
    case "training":
      if (route.run === null) return "/training";
      return `/training/${id(route.run)}${withOthers(route.others ?? [])}`;
    case "leaderboard":
      return "/leaderboard";
    case "lost":
      return route.path;
  }
}

function withOthers(names: readonly string[]): string {
  return names.length ? `?${names.map((name) => `with=${encodeURIComponent(name)}`).join("&")}` : "";
}

const MOVED = "stratagem-moved";

export function go(route: Route, how: "push" | "replace" = "push"): void {
  const path = format(route);
  if (how === "push") history.pushState(null, "", path);
  else history.replaceState(null, "", path);
  window.dispatchEvent(new Event(MOVED));
}

export function useRoute(): Route {
  const [route, setRoute] = useState<Route>(() => parse(window.location));
  useEffect(() => {
    const moved = (): void => setRoute(parse(window.location));
    window.addEventListener("popstate", moved);
    window.addEventListener(MOVED, moved);
    return () => {
      window.removeEventListener("popstate", moved);
      window.removeEventListener(MOVED, moved);
    };
  }, []);
  return route;
}
