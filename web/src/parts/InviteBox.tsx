// The link for a free seat at a game between people on different devices, and what a spectator is told.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isThisMachine } from "../words";
import type { SessionState } from "../wire";

export function InviteBox({ state }: { state: SessionState }): JSX.Element | null {
  const [copied, setCopied] = useState(false);
  const { table } = state;
  if (!table || state.result) return null;
  if (table.own.length === 0) {
    return <p class="hint watching">You are watching. You see what every player knows.</p>;
  }
  if (table.invitation === null) return null;
  const address = window.location.origin + table.invitation;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#invitation")?.select();
    }
  };
  const open = table.free.map((seat) => `player ${seat + 1}`).join(", ");
  return (
    <div class="invite">
      <strong>Send this link to {open}</strong>
      <div class="row">
        <input
          id="invitation"
          readOnly
          value={address}
          aria-label="Link for the open seat"
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="primary" onClick={() => void copy()}>
          {copied ? "Copied" : "Copy"}
        </button>
      </div>
      {isThisMachine(window.location.hostname) && (
        <p class="hint">
          It works on this machine only. For other devices start <code>stratagem serve --host 0.0.0.0</code>.
        </p>
      )}
    </div>
  );
}
