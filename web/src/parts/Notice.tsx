// Problems, shown where they happen until they are read.
import type { JSX } from "preact";

export function Problem({ text, onDismiss }: { text: string; onDismiss?: () => void }) {
  if (!text) return null;
  return (
    <div class="problem" role="alert">
      <span>{text}</span>
      {onDismiss && (
        <button type="button" class="quiet" onClick={onDismiss} aria-label="Dismiss">
          ×
        </button>
      )}
    </div>
  );
}

export function Waiting({ text = "Loading…" }: { text?: string }): JSX.Element {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  );
}
