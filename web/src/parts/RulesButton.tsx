// The rules of the game at the table.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Markdown } from "../markdown";
import { Dialog } from "./Dialog";

export function RulesButton({ game, title }: { game: string; title: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const name = game.split(/[/?]/)[0] ?? game;
  useEffect(() => {
    if (!open || text) return;
    api.rules(name).then((found) => setText(found.text), (error: Error) => setText(error.message));
  }, [open]);
  return (
    <>
      <button type="button" id="rules" onClick={() => setOpen(true)} title="The rules of this game">
        Rules
      </button>
      {open && (
        <Dialog title={`Rules of ${title}`} onClose={() => setOpen(false)}>
          {text ? <Markdown text={text} /> : <p class="hint">Fetching the rules…</p>}
        </Dialog>
      )}
    </>
  );
}
