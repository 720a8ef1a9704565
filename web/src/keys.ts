// Keyboard shortcuts of a screen. Typing in a field is never a shortcut.
import { useEffect, useRef } from "preact/hooks";

export type Keys = Record<string, () => void>;

export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement | null;
      const typing =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (typing && event.key !== "Escape" && !isSlider(target)) return;
      if (document.querySelector("dialog[open]")) return;
      const onButton = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
      if (onButton && (event.key === "Enter" || event.key === " ")) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

function isSlider(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && target.type === "range" && target.id === "scrub";
}
