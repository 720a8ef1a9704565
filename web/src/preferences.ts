// What a person chose and the browser remembers: colours, confirming, shown overlays.
import { useEffect, useState } from "preact/hooks";

const PREFIX = "stratagem.";

function read<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // private windows may forbid storage: the page works without memory
  }
}

export function remember<T>(name: string, value: T): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Not remembered; the choice still holds for this page.
  }
}

export function usePreference<T>(name: string, fallback: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => read(name, fallback));
  const change = (next: T): void => {
    setValue(next);
    remember(name, next);
  };
  return [value, change];
}

export type Theme = "auto" | "light" | "dark";

/** Before the first drawing, so that the page does not flash in the other colours. */
export function applyTheme(theme: Theme = read<Theme>("theme", "auto")): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = usePreference<Theme>("theme", "auto");
  useEffect(() => applyTheme(theme), [theme]);
  return [theme, setTheme];
}
